import type { ChangePoint, Level } from '../levels/levels.ts';
import type { ExplainedSeries } from './series-view.ts';

/** A part of a series around its change, with the index of its first point in the whole. */
export interface SeriesWindow {
  readonly start: number;
  readonly series: ExplainedSeries;
}

/** At most `most` points: facts of years ago cost as much as those of last week and tell less. */
export function windowSeries(series: ExplainedSeries, most: number): SeriesWindow {
  const { values, levels, change } = series;
  if (values.length <= most) return { start: 0, series };
  const start = Math.max(0, Math.min(change.index - Math.floor(most / 2), values.length - most));
  const end = start + most;
  const cutLevel = (level: Level): Level => ({
    ...level,
    start: Math.max(level.start, start) - start,
    end: Math.min(level.end, end) - start,
  });
  const cutChange = (it: ChangePoint): ChangePoint => ({
    ...it,
    index: it.index - start,
    before: cutLevel(it.before),
    after: cutLevel(it.after),
  });
  const isInside = (it: Level) => it.end > start && it.start < end;
  const inside = levels.changes.filter(({ index }) => index > start && index < end);
  return {
    start,
    series: {
      values: values.subarray(start, end),
      change: cutChange(change),
      levels: {
        ...levels,
        levels: levels.levels.filter(isInside).map(cutLevel),
        changes: inside.map(cutChange),
      },
    },
  };
}
