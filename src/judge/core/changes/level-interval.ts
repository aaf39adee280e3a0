import { studentQuantile } from '../../../stats/distributions.ts';
import { inflation } from '../levels/correlation.ts';
import type { Level, SeriesLevels } from '../levels/levels.ts';

/** Where the true level lies with a probability of 95 %. */
export interface LevelInterval {
  readonly low: number;
  readonly high: number;
}

/** The newest points that a level is computed from (see describe-levels.ts). */
const MOST = 512;

/** Points that resemble their neighbours are fewer than they seem. Undefined: one point says nothing of its spread. */
export function levelInterval(
  { value, scale, count }: Pick<Level, 'value' | 'scale' | 'count'>,
  { correlation }: Pick<SeriesLevels['noise'], 'correlation'>,
): LevelInterval | undefined {
  const used = Math.min(MOST, count);
  if (used < 2) return undefined;
  const fewer = inflation(correlation);
  const freedom = Math.max(1, used / fewer - 1);
  const reach = studentQuantile(0.975, freedom) * scale * Math.sqrt(fewer / used);
  return { low: value - reach, high: value + reach };
}
