import { type JudgedSeries, seriesKey } from '../../../home/core/changes/change.ts';
import type { RegressRules } from '../../../home/core/home.ts';
import type { Store, StoredLevels, ValueBatch } from '../../../home/core/store.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { DETECTOR, findChanges } from '../../core/levels/find-changes.ts';
import type { SeriesLevels } from '../../core/levels/levels.ts';
import type { JudgingRules } from './judging-rules.ts';
import type { JudgeScope } from './series-to-judge.ts';

/** The rules that decide which levels are found. */
export type LevelRules = Pick<RegressRules, 'minEffect' | 'minDifference'>;

/** Newest values that pages judge: of a line in a list, of a chart, of an explanation. */
export const JUDGED_VALUES = { list: 200, chart: 2_000, explanation: 10_000 } as const;

/** Levels as they were found when the values came in. Undefined: these values are not judged yet. */
export async function readLevels(
  store: Pick<Store, 'levels'>,
  { series, values, rules = {} }: LevelsQuery,
): Promise<SeriesLevels | undefined> {
  const document = await store.levels(seriesKey(series), fingerprintOf(values, rules));
  return document === undefined ? undefined : parseLevels(document);
}

export interface LevelsQuery {
  readonly series: JudgedSeries;
  readonly values: Float64Array;
  /** Of the definition, where the reader honours them. */
  readonly rules?: LevelRules;
}

const MANY = 1_000_000;
/** Series of KPIs that may stand for a machine where its events are explained: see explain-change.ts. */
export const MOST_LOOKED_AT = 100;

export interface LevelEffects {
  readonly store: Store;
  readonly signal?: CancelSignal;
  /** Between series: others get their turn. */
  readonly rest?: () => Promise<void>;
  readonly report?: (line: string) => void;
}

/** False: the index was rebuilt, or written by a version with another detector or without stored levels. */
export async function hasLevels(store: Pick<Store, 'levels'>): Promise<boolean> {
  return (await store.levels(WHOLE.series, WHOLE.fingerprint)) !== undefined;
}

/** Stands for all: saved when every series has its levels. No series has an empty key. */
const WHOLE: StoredLevels = { series: '', fingerprint: DETECTOR, document: '' };

/** Finds and stores the levels of the series of a scope as pages will request them. What is stored already is kept. */
export async function storeLevels(
  { run, testIds, experiments = run?.experiments }: JudgeScope,
  rules: JudgingRules,
  effects: LevelEffects,
): Promise<void> {
  const { store, signal } = effects;
  const isAll = experiments === undefined && testIds === undefined;
  for (const experiment of experiments ?? (isAll ? [undefined] : []))
    await storeOfValues({ ...(experiment !== undefined && { experiment }) }, rules, effects);
  if (isAll || testIds) await storeOfKpis(rules, effects);
  if (isAll && !signal?.aborted) await store.saveLevels([WHOLE]);
}

/** Values that are saved in one transaction: it lasts about a second. */
const SLICE = 100;

/** Saves numbers of an experiment with the levels of their series: who sees the ones sees the others. */
export async function saveValuesWithLevels(
  { values, ...batch }: ValueBatch,
  rules: JudgingRules,
  store: Store,
): Promise<void> {
  for (let first = 0; first < values.length; first += SLICE) {
    const slice = values.slice(first, first + SLICE);
    const paths = new Set(slice.map(({ path }) => JSON.stringify(path)));
    await store.together(async () => {
      await store.saveValues({ ...batch, values: slice });
      await storeOfValues({ experiment: batch.task, paths }, rules, { store });
    });
  }
}

const REPORT_EVERY = 1_000;

async function storeOfValues(
  { experiment, paths }: { readonly experiment?: string; readonly paths?: ReadonlySet<string> },
  rules: JudgingRules,
  { store, signal, rest, report }: LevelEffects,
): Promise<void> {
  const query = { limit: MANY, ...(experiment !== undefined && { experiment }) };
  const changed = new Set((await store.changes(query)).map(({ series }) => seriesKey(series)));
  const all = (await store.series(query)).filter(({ path }) => paths?.has(JSON.stringify(path)) ?? true);
  for (const [place, { id, experiment, path }] of all.entries()) {
    if (signal?.aborted) return;
    const series = { kind: 'value', experiment, path } as const;
    const own = changed.has(seriesKey(series)) ? rules.rulesFor(series) : undefined;
    const read = async () => (await store.history(id, { limit: JUDGED_VALUES.explanation })).values;
    await storeOne(store, series, async () => wantedLevels(await read(), own));
    if ((place + 1) % REPORT_EVERY === 0) report?.(`${place + 1} of ${all.length} series judged`);
    await rest?.();
  }
}

/** Pages show levels of a KPI where it has changes, or where it stands for a machine that has. */
async function storeOfKpis(rules: JudgingRules, { store, signal, rest }: LevelEffects): Promise<void> {
  const changes = (await store.changes({ limit: MANY })).map(({ series }) => series);
  const ofMachine = changes.some(({ kind }) => kind === 'machine')
    ? await store.kpiSeries({ limit: MOST_LOOKED_AT })
    : [];
  const wanted = [
    ...changes.filter((series) => series.kind === 'kpi'),
    ...ofMachine.map(({ name, labels }) => ({ kind: 'kpi', name, labels }) as const),
  ];
  for (const series of new Map(wanted.map((one) => [seriesKey(one), one])).values()) {
    if (signal?.aborted) return;
    const read = async () => (await store.kpiHistory(series, { limit: JUDGED_VALUES.explanation })).values;
    await storeOne(store, series, async () => wantedLevels(await read(), rules.rulesFor(series)));
    await rest?.();
  }
}

type WantedLevels = ReadonlyMap<string, Required<Omit<LevelsQuery, 'series'>>>;

/** By fingerprint. `rules`: those of a series with changes, whose pages honour them. */
function wantedLevels(whole: Float64Array, rules: LevelRules = {}): WantedLevels {
  if (whole.length === 0) return new Map();
  const { list, chart } = JUDGED_VALUES;
  const plain = [list, chart, whole.length].map((limit) => ({ values: whole.subarray(-limit), rules: {} }));
  const all = [...plain, { values: whole.subarray(-chart), rules }];
  return new Map(all.map((one) => [fingerprintOf(one.values, one.rules), one]));
}

/** Values may come in meanwhile: where something is missing they are read again, and saved in one transaction. */
async function storeOne(
  store: Store,
  series: JudgedSeries,
  read: () => Promise<WantedLevels>,
): Promise<void> {
  const key = seriesKey(series);
  const documents = [];
  for (const fingerprint of (await read()).keys()) documents.push(await store.levels(key, fingerprint));
  if (!documents.includes(undefined)) return;
  await store.together(async () => {
    const levels: StoredLevels[] = [];
    for (const [fingerprint, { values, rules }] of await read()) {
      const document = (await store.levels(key, fingerprint)) ?? writeLevels(findLevels(values, rules));
      levels.push({ series: key, fingerprint, document });
    }
    await store.saveLevels(levels);
  });
}

function findLevels(values: Float64Array, { minEffect, minDifference }: LevelRules): SeriesLevels {
  return findChanges(
    { values },
    { ...(minEffect !== undefined && { minEffect }), ...(minDifference !== undefined && { minDifference }) },
  );
}

/** Everything that levels follow from: other values, other rules or another detector have another one. */
function fingerprintOf(values: Float64Array, { minEffect = 0, minDifference = 0 }: LevelRules): string {
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  let [one, two] = [0x9e3779b9, 0x85ebca6b];
  for (const word of words) {
    one = Math.imul(one ^ word, 0x01000193);
    two = Math.imul(two ^ (word >>> 15) ^ word, 0x5bd1e995) + 1;
    two ^= two >>> 13;
  }
  const hash = [one, two].map((part) => (part >>> 0).toString(16)).join('-');
  return `${DETECTOR} ${minEffect} ${minDifference} ${values.length} ${hash}`;
}

/** JSON has no infinities and no NaN: they are written as texts, of which levels have none. */
function writeLevels(levels: SeriesLevels): string {
  return JSON.stringify(levels, (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
}

function parseLevels(document: string): SeriesLevels {
  return JSON.parse(document, (_, value) => (typeof value === 'string' ? Number(value) : value));
}
