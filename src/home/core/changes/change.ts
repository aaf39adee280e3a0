import type { CommitFacts } from '../../../formats/core/commit-facts.ts';
import type { Better, BetterFrom, SeriesKey } from '../../../formats/core/sample.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { sha256 } from '../../../platform/core/text/sha256.ts';

export type { Better } from '../../../formats/core/sample.ts';

/** From one level to the next: how far, with an interval. */
export interface Shift {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** The same as a fraction of the level before: 0.05 is 5 % more. Absent where that level is zero. */
  readonly relative?: { readonly change: number; readonly low: number; readonly high: number };
  /** Probability that the interval holds the true shift: 0.95. */
  readonly level: number;
}

/**
 * A series that can be judged: a number in data files, or a KPI with its labels; or what a machine does to all series of
 * a measure, as a factor of their values.
 */
export type JudgedSeries =
  | ({ readonly kind: 'value' } & SeriesKey)
  | { readonly kind: 'kpi'; readonly name: string; readonly labels: JsonObject }
  | { readonly kind: 'machine'; readonly machine: string; readonly measure: string };

/** What may stop coming: a series while others go on, or an experiment or a workload with all of its series. */
export type Absentee =
  | JudgedSeries
  | { readonly kind: 'experiment'; readonly experiment: string }
  | { readonly kind: 'workload'; readonly workload: string };

/** A series that has values of its own. */
export type MeasuredSeries = Exclude<JudgedSeries, { readonly kind: 'machine' }>;

/** A commit as its repository, or the file that was imported, describes it. All of it is text by others. */
export interface NamedCommit extends CommitFacts {
  readonly hash: string;
}

/** The commits of a source between the last value at the old level and the first at the new one. */
export interface SourceRange {
  readonly source: string;
  readonly before: string;
  readonly after: string;
  /** How many came, `after` included, and how many went; absent: the repository is not there to count them. */
  readonly added?: number;
  readonly removed?: number;
  /** Newest first, some of them where there are many. Never empty: `after` at least. */
  readonly commits: readonly NamedCommit[];
  /** What came between, to be read with a browser. */
  readonly link?: string;
}

export type ChangeState = 'new' | 'confirmed' | 'expected' | 'fixed' | 'false';

/** A change as people follow it: it keeps its id while history grows. */
export interface ChangeRecord {
  /** Short, can be typed, follows from the series and the place where it was first found. */
  readonly id: string;
  readonly series: JudgedSeries;
  readonly unit: string;
  readonly better: Better;
  /** Absent: unknown, or recorded before this was. */
  readonly betterFrom?: BetterFrom;
  /** Start of the first run at the new level: milliseconds since 1970. */
  readonly at: number;
  /** Its run, or its test for a KPI. */
  readonly runId: string;
  /** Run of the last value that surely is at the old level; absent: there is none. */
  readonly lastRunId?: string;
  /** Run of the first value that surely is at the new level, where that is a later one than `runId`. */
  readonly sureRunId?: string;
  readonly before: number;
  readonly after: number;
  readonly shift: Shift;
  readonly p: number;
  /** Whether it is good, as `better` says. */
  readonly direction: 'better' | 'worse' | 'unknown';
  /** Seen in too few points yet. */
  readonly isProvisional: boolean;
  /** Probably beyond the smallest effect of interest, but not surely: no alarm, unless `or-likely` says so. */
  readonly isLikely?: true;
  /** Rests on this rule: 'nightmark-1', 'hunter', ... */
  readonly detector: string;
  /** Of a machine: measurements that moved together. */
  readonly moved?: number;
  /** Of a machine that is another one: its processor and cores. */
  readonly hardware?: string;
  readonly foundAt: number;
  readonly state: ChangeState;
  readonly note?: string;
  readonly author?: string;
  readonly triagedAt?: number;
}

/** Whether a difference is for the better. */
export function changeDirection(difference: number, better: Better): ChangeRecord['direction'] {
  if (better === 'unknown') return 'unknown';
  return difference < 0 === (better === 'lower') ? 'better' : 'worse';
}

/** The same text for the same series, whoever made it. */
export function seriesKey(series: Absentee): string {
  switch (series.kind) {
    case 'value':
      return JSON.stringify(['value', series.experiment, ...series.path]);
    case 'kpi':
      return JSON.stringify(['kpi', series.name, sorted(series.labels)]);
    case 'machine':
      return JSON.stringify(['machine', series.machine, series.measure]);
    case 'experiment':
      return JSON.stringify(['experiment', series.experiment]);
    case 'workload':
      return JSON.stringify(['workload', series.workload]);
  }
}

/** The series as a text: "sort/cpu/A", "latency{cpu=2, version=1.0}", "machine bench-1 (speed)". */
export function seriesText(series: JudgedSeries): string {
  if (series.kind === 'value') return [series.experiment, ...series.path].join('/');
  if (series.kind === 'machine') return `machine ${series.machine} (${series.measure})`;
  const labels = Object.entries(series.labels).map(([name, value]) => `${name}=${labelText(value)}`);
  return labels.length === 0 ? series.name : `${series.name}{${labels.join(', ')}}`;
}

/** What `--metric` and `ignore` match: the path below the experiment, or the name of the KPI. */
export function metricText(series: JudgedSeries): string {
  if (series.kind === 'machine') return series.measure;
  return series.kind === 'value' ? series.path.join('/') : series.name;
}

function labelText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function sorted(labels: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

const LETTERS = 7;

/**
 * A short name that can be typed. It follows from the series and the run at which the change was first found, so that a
 * ledger that was lost and made anew has the same names. Longer where that name is taken.
 */
export function changeId(series: JudgedSeries, runId: string, isTaken: (id: string) => boolean): string {
  const digest = BigInt(`0x${sha256(`${seriesKey(series)}\n${runId}`)}`).toString(36);
  for (let length = LETTERS; length < digest.length; length++) {
    const id = digest.slice(0, length);
    if (!isTaken(id)) return id;
  }
  return digest;
}
