import { median, sortedCopy } from '../../../stats/summary.ts';

/** How a series moved in the newest run: as a logarithm, above 0 for worse machines, with its standard error. */
export interface SeriesShift {
  readonly logRatio: number;
  readonly error: number;
}

/** All series of a machine moved together: the machine changed, not the code. */
export interface MachineEvent {
  /** Times are this many times as long: 1.14. */
  readonly factor: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  /** Number of series, of those precise enough to count, and of those that moved along. */
  readonly series: number;
  readonly precise: number;
  readonly agreeing: number;
}

export interface MachineEventOptions {
  /** Fewest series that can distinguish a machine from a change. */
  readonly minSeries: number;
  /** The smallest common shift of interest, as a fraction. */
  readonly minEffect: number;
  /** Fraction of the precise series that must agree. */
  readonly minAgreeing: number;
}

export const MACHINE_EVENT_DEFAULTS: MachineEventOptions = {
  minSeries: 5,
  minEffect: 0.02,
  minAgreeing: 0.75,
};

/** Finds the shift that most series of one machine and run have in common. */
export function findMachineEvent(
  shifts: readonly SeriesShift[],
  options: Partial<MachineEventOptions> = {},
): MachineEvent | undefined {
  const { minSeries, minEffect, minAgreeing } = { ...MACHINE_EVENT_DEFAULTS, ...options };
  const usable = shifts.filter(({ logRatio, error }) => Number.isFinite(logRatio) && Number.isFinite(error));
  if (usable.length < minSeries) return undefined;
  const first = median(usable.map(({ logRatio }) => logRatio));
  // A series noisier than the shift agrees with everything: it does not count.
  const precise = usable.filter(({ error }) => error < Math.abs(first) / PRECISE);
  if (precise.length < minSeries) return undefined;
  const sorted = sortedCopy(precise.map(({ logRatio }) => logRatio));
  const common = median(sorted);
  const agreeing = precise.filter((shift) => agrees(shift, common)).length;
  const { low, high } = limitsOfMedian(sorted);
  const isLarge = Math.abs(common) >= Math.log1p(minEffect) && low * high > 0;
  if (!isLarge || agreeing < minAgreeing * precise.length) return undefined;
  return {
    factor: Math.exp(common),
    low: Math.exp(low),
    high: Math.exp(high),
    level: 0.95,
    series: usable.length,
    precise: precise.length,
    agreeing,
  };
}

const PRECISE = 2;

/** Moved the same way by about as much: within its noise, or a third of the way. */
function agrees({ logRatio, error }: SeriesShift, common: number): boolean {
  const apart = Math.abs(logRatio - common);
  return logRatio * common > 0 && apart <= Math.max(3 * error, Math.abs(common) / 3);
}

/** Order statistics that hold the median with 95 %, by the normal approximation of the sign test. */
function limitsOfMedian(sorted: Float64Array): { readonly low: number; readonly high: number } {
  const n = sorted.length;
  const below = Math.max(0, Math.floor((n - 1.96 * Math.sqrt(n)) / 2));
  return { low: sorted[below] ?? 0, high: sorted[n - 1 - below] ?? 0 };
}
