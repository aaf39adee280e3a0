import { quantile } from '../../stats/summary.ts';

/** How often which ratio was seen: bins of equal width in the logarithm. */
export interface RatioBins {
  /** Lower end of the first bin and upper end of the last, as ratios. */
  readonly from: number;
  readonly to: number;
  readonly counts: readonly number[];
  /** Ratios below the first bin and above the last: far out, and counted all the same. */
  readonly below: number;
  readonly above: number;
}

const BINS = 60;
/** Of the ratios, on each side, that may lie outside: one far out would squeeze all others into one bin. */
const OUTSIDE = 0.002;

/** Undefined without ratios. */
export function ratioBins(logRatios: Float64Array): RatioBins | undefined {
  const finite = logRatios.filter(Number.isFinite);
  if (finite.length === 0) return undefined;
  const [low, high] = [quantile(finite, OUTSIDE), quantile(finite, 1 - OUTSIDE)];
  const room = (high - low) * 0.02 || 0.001;
  const [from, to] = [low - room, high + room];
  const count = Math.min(BINS, Math.max(5, Math.ceil(Math.sqrt(finite.length))));
  const counts = new Array<number>(count).fill(0);
  let [below, above] = [0, 0];
  for (const one of finite) {
    if (one < from) below++;
    else if (one > to) above++;
    else {
      const bin = Math.min(count - 1, Math.floor(((one - from) / (to - from)) * count));
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  }
  return { from: Math.exp(from), to: Math.exp(to), counts, below, above };
}
