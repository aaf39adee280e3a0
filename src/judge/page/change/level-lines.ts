import { type HistorySeries, withDots } from '../../../charts/page/history-data.ts';
import type { Level } from '../../core/levels/levels.ts';

interface Shown {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  readonly runIds: readonly string[];
  readonly levels: readonly Level[];
}

/** Single runs as dots, and each level as a line with the band in which most single runs of it lie. */
export function levelLines({ times, values, runIds, levels }: Shown): readonly HistorySeries[] {
  const runs = values.map((value) => value ?? Number.NaN);
  const lines = levels.map(({ start, end, value, scale }): HistorySeries => {
    const own = times.slice(start, end);
    const flat = (one: number) => own.map(() => one);
    const half = TWO_SIDED * scale;
    return {
      ...{ name: 'level', times: own, values: flat(value), hue: 2, isBackdrop: true },
      ...{ low: flat(value - half), high: flat(value + half) },
    };
  });
  return withDots(lines, { name: 'run', times, values: runs, runIds, hue: 0, isDots: true });
}

/** 95 % of normal values lie within so many standard deviations. */
const TWO_SIDED = 1.96;
