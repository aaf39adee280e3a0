/** What a comparison should be able to do. */
export interface PlanAim {
  /** The effect that is to be found, as a fraction: 0.01. */
  readonly detect: number;
  /** Found: surely beyond this. Absent: surely different. */
  readonly minEffect?: number;
  /** How often it is to be found when it is there: 0.9. */
  readonly power: number;
  /** 0.95: one false alarm in twenty comparisons. */
  readonly level: number;
}

/** Noise of one value on the scale of logarithms: the variance of a run of m iterations is between + within / m. */
export interface RunNoise {
  readonly between: number;
  readonly within: number;
  /** How well it is known: degrees of freedom of what it was learned from. Absent: as sure as the user who gave it. */
  readonly freedom?: number;
}

/** How long a run takes: seconds = fixed + iterations * each. */
export interface RunTime {
  readonly fixed: number;
  readonly each: number;
}

/** What is known before planning. */
export interface PlanInput {
  /** One side alone, correlation of neighbouring runs included. */
  readonly alone: RunNoise;
  /** Ratios of runs that took place at the same time. */
  readonly pairs: RunNoise & { readonly isMeasured: boolean };
  /** Iterations of a run as it is now. */
  readonly iterations: number;
  /** Whether another number of iterations may be proposed: only where times of single iterations are known. */
  readonly mayChoose: boolean;
  readonly time?: RunTime;
}

/** A way to run the comparison. */
export interface Design {
  /** Of each side; for duets, runs in which both sides take part. */
  readonly runs: number;
  readonly iterations: number;
  /** For all runs of both sides; absent where the duration of a run is unknown. */
  readonly seconds?: number;
  /** Expected share of such comparisons that find the effect. */
  readonly power: number;
}

/** What a given time can show. */
export interface Reach {
  readonly effect: number;
  readonly runs: number;
  readonly iterations: number;
}

/** Undefined: out of reach. */
export interface Plan {
  readonly aim: PlanAim;
  readonly alone?: Design;
  readonly duet?: Design;
  readonly minutes: number;
  readonly inTime: { readonly alone?: Reach; readonly duet?: Reach };
}

/** What a plan rests on: the noise of one value, and how well it is known. */
export interface PlanBasis {
  /** Keys of the value in its data file, or the command. */
  readonly name: string;
  readonly input: PlanInput;
  /** Values that the spread was computed from; absent where the user gave it. */
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
