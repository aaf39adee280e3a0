import type { BarFile, LineFile } from '../../../charts/core/file/chart-file.ts';
import { timestampMs } from '../../../kit/core/data-series.ts';
import type { Score, ScoreRule } from './score.ts';

/** A score of one night, as in its data file. */
export interface ScoreEntry {
  readonly timestamp: string;
  readonly Score: number;
  readonly Total: number;
}

/** More bars than that cannot be read. */
const MOST_BARS = 60;
const TWO_WEEKS_DAYS = 14;
const DAY_MS = 86_400_000;

/** The values that a score is made of. */
export function itemsChart({ label, title = label, values }: ScoreRule, { items }: Score): BarFile {
  const bars = items.slice(0, MOST_BARS).map((item) => ({ ...item }));
  return { chart: 'bar', title, yTitle: values.some(({ over }) => over) ? 'ratio' : 'value', bars };
}

/** The score over the nights; what is counted as a part of all. */
export function scoreChart(
  { label, title = label, score }: ScoreRule,
  entries: readonly ScoreEntry[],
): LineFile {
  const isCount = score === 'count';
  const x = entries.map(({ timestamp }) => isoOf(timestamp));
  const y = entries.map((entry) => (isCount ? entry.Score / entry.Total : entry.Score));
  return {
    chart: 'line',
    title,
    xTitle: 'Date of Run',
    yTitle: isCount ? 'part of all' : 'score',
    series: [{ x, y }],
  };
}

/** Those less than fourteen whole days before the newest. */
export function lastTwoWeeks(entries: readonly ScoreEntry[]): readonly ScoreEntry[] {
  const newest = timestampMs(entries.at(-1)?.timestamp);
  return entries.filter(
    ({ timestamp }) => Math.floor((newest - timestampMs(timestamp)) / DAY_MS) < TWO_WEEKS_DAYS,
  );
}

/** Without a zone: the label of a night names none. */
function isoOf(timestamp: string): string {
  return new Date(timestampMs(timestamp)).toISOString().slice(0, 16);
}
