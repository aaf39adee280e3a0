import { mean, median } from '../../stats/summary.ts';
import type { MeasuredSide } from './comparison.ts';

/** The numbers of one side, seconds; as hyperfine names them. */
export interface SideSummary {
  readonly mean: number;
  /** Of the sample, the divisor being n - 1; absent with a single run. */
  readonly stddev?: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly user?: number;
  readonly system?: number;
}

/** Undefined when nothing was measured. */
export function sideSummary({ times, user, system }: MeasuredSide): SideSummary | undefined {
  if (times.length === 0) return undefined;
  const center = mean(times);
  const squares = times.reduce((sum, time) => sum + (time - center) ** 2, 0);
  const sorted = Float64Array.from(times).sort();
  return {
    mean: center,
    ...(times.length > 1 && { stddev: Math.sqrt(squares / (times.length - 1)) }),
    median: median(times),
    min: sorted[0] ?? center,
    max: sorted.at(-1) ?? center,
    ...(user !== undefined && { user }),
    ...(system !== undefined && { system }),
  };
}
