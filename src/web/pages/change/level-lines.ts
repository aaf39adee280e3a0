import type { Level } from '../../../core/model/change.ts';
import type { HistorySeries } from '../../charts/history.ts';

interface Shown {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  readonly runIds: readonly string[];
  readonly levels: readonly Level[];
}

/** Single runs as dots, and the levels as a line with the band in which most single runs of a level lie. */
export function levelLines({ times, values, runIds, levels }: Shown): readonly HistorySeries[] {
  const level = new Float64Array(times.length).fill(Number.NaN);
  const [low, high] = [level.slice(), level.slice()];
  for (const { start, end, value, scale } of levels) {
    level.fill(value, start, end);
    low.fill(value - TWO_SIDED * scale, start, end);
    high.fill(value + TWO_SIDED * scale, start, end);
  }
  const runs = values.map((value) => value ?? Number.NaN);
  return [
    { name: 'level', times, values: level, low, high, hue: 1 },
    { name: 'run', times, values: runs, runIds, hue: 0, isDots: true },
  ];
}

/** 95 % of normal values lie within so many standard deviations. */
const TWO_SIDED = 1.96;
