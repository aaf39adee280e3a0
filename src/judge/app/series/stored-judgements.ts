import { type JudgedSeries, seriesKey } from '../../../home/core/changes/change.ts';
import type { History, Store, StoredJudgement } from '../../../home/core/store.ts';
import type { SeenChange, SeriesRules } from '../../core/changes/judge-series.ts';
import { asMeasured, type TakenStep, withoutSteps } from '../../core/changes/machine-part.ts';
import type { StandingVerdict } from '../../core/changes/reference-level.ts';
import { levelInterval } from '../../core/levels/correlation.ts';
import { DETECTOR } from '../../core/levels/find-changes.ts';
import type { Drift, Level, SeriesLevels } from '../../core/levels/levels.ts';
import type { Part } from '../../core/levels/sums.ts';
import { partOf } from './hardware-history.ts';
import type { JudgingRules } from './judging-rules.ts';

/** Values that are judged: some years of nights. */
export const JUDGED_VALUES = 2_000;

/** What was judged of a series when its results came in, and by what. Places are those of the values that were judged. */
export interface Judgement {
  readonly detector: string;
  readonly rules: SeriesRules;
  readonly at: number;
  readonly levels: SeriesLevels;
  readonly changes: readonly SeenChange[];
  readonly newest: StandingVerdict;
  /** Steps of the machine that were taken out of the values first. */
  readonly moved: readonly TakenStep[];
  /** Which of the newest values were judged, where others were measured on other hardware; absent: all. */
  readonly parts?: readonly Part[];
  /** Levels of all values as measured: a step of the machine is one of theirs, and so is other hardware. */
  readonly drawn: readonly DrawnLevel[];
}

/** A range at one level: from its first to its last run, with the interval of the level. */
export interface DrawnLevel extends Pick<Level, 'value' | 'scale' | 'count' | 'drift'> {
  readonly from: number;
  readonly to: number;
  /** Absent: too few runs. */
  readonly low?: number;
  readonly high?: number;
}

/** The judgement of a series as it is stored. */
export interface ReadJudgement extends Judgement {
  /** Values came since: its places may be others now, and its verdict is of an older value. */
  readonly isOutdated: boolean;
}

/** Undefined: nobody has judged it yet, or the definition ignores it. */
export async function readJudgement(
  store: Pick<Store, 'judgement'>,
  series: JudgedSeries,
): Promise<ReadJudgement | undefined> {
  const stored = await store.judgement(seriesKey(series));
  if (stored === undefined || stored.document === IGNORED) return undefined;
  return { ...parse(stored.document), isOutdated: stored.isOutdated };
}

/** The same, but only where it is of the values that are there now. */
export async function readCurrent(
  store: Pick<Store, 'judgement'>,
  series: JudgedSeries,
): Promise<Judgement | undefined> {
  const read = await readJudgement(store, series);
  return read?.isOutdated ? undefined : read;
}

export function toStored(series: JudgedSeries, judgement: Judgement): StoredJudgement {
  return { series: seriesKey(series), document: write(judgement) };
}

export function ignoredSeries(series: JudgedSeries): StoredJudgement {
  return { series: seriesKey(series), document: IGNORED };
}

const IGNORED = 'ignored';

/** Levels with their times, over values as measured. */
export function drawnLevels(
  { levels, noise }: SeriesLevels,
  { times }: Pick<History, 'times'>,
  moved: readonly TakenStep[],
): readonly DrawnLevel[] {
  return asMeasured(levels, moved).map((level) => ({
    from: times[level.start] ?? 0,
    to: times[level.end - 1] ?? 0,
    ...{ value: level.value, scale: level.scale, count: level.count },
    ...levelInterval(level, noise),
    ...(level.drift && { drift: level.drift }),
  }));
}

/** The same with their places among the values of these times, oldest first. */
export function placedLevels(drawn: readonly DrawnLevel[], times: Float64Array): readonly Level[] {
  const levels = drawn.flatMap(({ from, to, low: _1, high: _2, ...level }): readonly Level[] => {
    const start = times.findIndex((at) => at >= from && at <= to);
    const end = times.findLastIndex((at) => at <= to && at >= from) + 1;
    return start < 0 ? [] : [{ ...level, start, end }];
  });
  return levels.sort((a, b) => a.start - b.start);
}

/** The values that a judgement is of, as they were judged: without the steps of their machine. */
export function judgedHistory(
  history: History,
  { parts, moved }: Pick<Judgement, 'parts' | 'moved'>,
): History {
  const own = parts === undefined ? history : partOf(history, parts);
  return { ...own, values: withoutSteps(own.values, moved) };
}

/** What judged all series of an index, and when any of them was judged last. */
interface JudgedBy {
  readonly detector: string;
  /** Version of the rules: see JudgingRules. */
  readonly rules: string;
  readonly at: number;
  /** Newest values that look like a change, as some do by chance among so many series. */
  readonly heldBack: number;
}

/** Why the whole home is to be judged again; undefined: it is judged by these rules and this detector. */
export async function reasonToRejudge(
  store: Pick<Store, 'judgement'>,
  { version }: Pick<JudgingRules, 'version'>,
): Promise<string | undefined> {
  const by = await judgedBy(store);
  if (by === undefined) return NOT_JUDGED;
  const { detector, rules } = by;
  if (detector !== DETECTOR) return `the detector is ${DETECTOR} now, and was ${detector}`;
  return rules === version ? undefined : 'the rules of the definition changed';
}

/** Of an index that was rebuilt, or that an older version made. */
export const NOT_JUDGED = 'this index was not judged yet';

/** Another text whenever something was judged since. */
export async function judgedStamp(store: Pick<Store, 'judgement'>): Promise<string> {
  return (await store.judgement(WHOLE))?.document ?? '';
}

/** The rules and the detector that judged all series; empty where nobody has. */
export async function judgedVersion(store: Pick<Store, 'judgement'>): Promise<string> {
  const by = await judgedBy(store);
  return by === undefined ? '' : `${by.detector} ${by.rules}`;
}

/** How many newest values were held back when results were judged last. */
export async function heldBackCount(store: Pick<Store, 'judgement'>): Promise<number> {
  return (await judgedBy(store))?.heldBack ?? 0;
}

interface JudgingDone {
  readonly at: number;
  /** All series of the index have their judgement now, by these. */
  readonly rules?: Pick<JudgingRules, 'version'>;
  /** Absent: as it was. */
  readonly heldBack?: number;
}

/** Saves judgements as one. */
export async function saveJudgements(
  judgements: readonly StoredJudgement[],
  { at, rules, heldBack }: JudgingDone,
  store: Pick<Store, 'judgement' | 'saveJudgements' | 'together'>,
): Promise<void> {
  await store.together(async () => {
    const before = await judgedBy(store);
    const by = rules ? { detector: DETECTOR, rules: rules.version } : before;
    const now = by && {
      heldBack: before?.heldBack ?? 0,
      ...by,
      at,
      ...(heldBack !== undefined && { heldBack }),
    };
    const whole = now ? [{ series: WHOLE, document: JSON.stringify(now) }] : [];
    await store.saveJudgements([...judgements, ...whole]);
  });
}

async function judgedBy(store: Pick<Store, 'judgement'>): Promise<JudgedBy | undefined> {
  const stored = await store.judgement(WHOLE);
  return stored && (JSON.parse(stored.document) as JudgedBy);
}

/** No series has an empty key. */
const WHOLE = '';

/** JSON has no infinities and no NaN: they are written as these texts. */
const NOT_FINITE = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function write(judgement: Judgement): string {
  return JSON.stringify(judgement, (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
}

function parse(document: string): Judgement {
  return JSON.parse(document, (_, value) =>
    typeof value === 'string' ? (NOT_FINITE.get(value) ?? value) : value,
  );
}

/** Where its present level goes on rising or falling. */
export function driftOf({ levels }: Pick<Judgement, 'levels'>): Drift | undefined {
  return levels.levels.at(-1)?.drift;
}
