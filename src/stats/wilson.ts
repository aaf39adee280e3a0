import { type Interval, normalQuantile } from './distributions.ts';

/** A share with its interval. */
export interface Share extends Interval {
  readonly count: number;
  readonly of: number;
  readonly share: number;
}

/** Wilson's interval of a share (1927): sensible also for 0 of 3, where others give a point. */
export function wilsonShare(count: number, of: number, level = 0.95): Share | undefined {
  if (!(of > 0)) return undefined;
  const z = normalQuantile((1 + level) / 2);
  const share = count / of;
  const centre = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const reach = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const low = count === 0 ? 0 : Math.max(0, centre - reach);
  const high = count === of ? 1 : Math.min(1, centre + reach);
  return { count, of, share, low, high, level };
}
