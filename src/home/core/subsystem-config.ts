import type { Clock } from '../../platform/core/clock.ts';
import { pythonRepr } from '../../platform/core/python/python-values.ts';
import { isJsonObject, type JsonObject, type JsonValue, texts } from '../../platform/core/text/json.ts';

export interface Deadline {
  readonly name: string;
  /** As it was written. */
  readonly date: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ping: readonly string[];
}

/** The deadlines that could be read, in the order of the configuration, and the first thing that is wrong. */
export interface DeadlineReading {
  readonly deadlines: readonly Deadline[];
  readonly problem?: string;
}

export function readDeadlines(config: JsonObject, clock: Pick<Clock, 'fromWall'>): DeadlineReading {
  const block = config['deadlines'];
  if (block === undefined || block === null) return { deadlines: [] };
  if (!isJsonObject(block)) return { deadlines: [], problem: 'Invalid deadlines structure' };
  const deadlines: Deadline[] = [];
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(block)) {
    const read = readEntry(name, entry, clock);
    if ('problem' in read) problems.push(read.problem);
    else deadlines.push(read);
  }
  const [problem] = problems;
  return { deadlines, ...(problem !== undefined && { problem }) };
}

function readEntry(
  name: string,
  entry: JsonValue,
  clock: Pick<Clock, 'fromWall'>,
): Deadline | { readonly problem: string } {
  const date = isJsonObject(entry) ? entry['date'] : undefined;
  if (date === undefined) return { problem: `Date missing in entry ${pythonRepr(entry)} under ${name}` };
  const at = typeof date === 'string' ? timeOf(date, clock) : undefined;
  if (typeof date !== 'string' || at === undefined)
    return { problem: `Could not parse date ${typeof date === 'string' ? date : pythonRepr(date)}` };
  return { name, date, at, ping: texts(isJsonObject(entry) ? entry['ping'] : undefined) };
}

/** "2026-03-01 12:00:00" in local time. */
function timeOf(text: string, clock: Pick<Clock, 'fromWall'>): number | undefined {
  const parts = /^(\d{4})-(\d{1,2})-(\d{1,2})\s+(\d{1,2}):(\d{1,2}):(\d{1,2})$/.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
  const isTime = hour < 24 && minute < 60 && second < 62;
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
  return isTime && isDay ? clock.fromWall({ year, month, day, hour, minute }) + second * 1000 : undefined;
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export const SCORE_KINDS = ['count', 'mean', 'geomean', 'median', 'min', 'max', 'sum'] as const;

export type ScoreKind = (typeof SCORE_KINDS)[number];
