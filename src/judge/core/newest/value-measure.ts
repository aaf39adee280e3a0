import { median } from '../../../stats/summary.ts';

/** How values are measured for a judgement: so that 0.01 is one hundredth of the level. */
export interface Measure {
  from(value: number): number;
  to(measured: number): number;
  /** A small step of values, measured at the level. */
  stepOf(step: number): number;
}

/** Logarithms where all values are above 0, since noise and slowdowns act by a factor; else parts of the level. */
export function measureFor(history: Float64Array, newest: Float64Array): Measure {
  const isPositive = history.every((value) => value > 0) && newest.every((value) => value > 0);
  const unit = typicalSize(history, newest);
  if (isPositive)
    return { from: Math.log, to: (log) => Math.exp(Math.min(log, 709)), stepOf: (step) => step / unit };
  return { from: (value) => value / unit, to: (part) => part * unit, stepOf: (step) => step / unit };
}

function typicalSize(history: Float64Array, newest: Float64Array): number {
  const usual = median(history.map(Math.abs));
  if (usual > 0) return usual;
  // Mostly zeros: what is there besides them is the only size that is known.
  const largest = [...history, ...newest].reduce((one, other) => Math.max(one, Math.abs(other)), 0);
  return largest > 0 ? largest : 1;
}
