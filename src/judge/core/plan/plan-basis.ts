import type { PlanInput } from './plan.ts';

/** What a plan rests on: the noise of one value, and how well it is known. */
export interface PlanBasis {
  /** Keys of the value in its data file, or the command. */
  readonly name: string;
  readonly input: PlanInput;
  /** Values that the spread was computed from; absent where it was told. */
  readonly count?: number;
  /** What one such value is: "night", "run". */
  readonly counts?: string;
  /** Of neighbouring runs. */
  readonly correlation: number;
}

/** Neighbours that resemble each other make a mean of n of them as uncertain as one of fewer: (1 - r) / (1 + r) of n. */
export function inflation(correlation: number): number {
  return (1 + correlation) / (1 - correlation);
}

/** Standard deviation of a run as it is measured now, as a fraction. */
export function runDeviation({ input: { alone, iterations }, correlation }: PlanBasis): number {
  return Math.sqrt((alone.between + alone.within / iterations) / inflation(correlation));
}
