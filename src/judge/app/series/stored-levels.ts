import { type JudgedSeries, seriesKey } from '../../../home/core/changes/change.ts';
import type { RegressRules } from '../../../home/core/home.ts';
import type { Store, StoredLevels } from '../../../home/core/store.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { DETECTOR, findChanges } from '../../core/levels/find-changes.ts';
import type { SeriesLevels } from '../../core/levels/levels.ts';
import type { JudgingRules } from './judging-rules.ts';
import type { JudgeScope } from './series-to-judge.ts';

/** The rules that decide which levels are found. */
export type LevelRules = Pick<RegressRules, 'minEffect' | 'minDifference'>;

/** Newest values that pages judge: of a line in a list, of a chart, of an explanation. */
export const JUDGED_VALUES = { list: 200, chart: 2_000, explanation: 10_000 } as const;

/**
 * Levels as they were found when the values came in. Values that are not judged yet (of a night that is still
 * running, of an index that was just rebuilt) have none: for these the detector runs now.
 */
export async function readLevels(
  store: Pick<Store, 'levels'>,
  { series, values, rules = {} }: LevelsQuery,
): Promise<SeriesLevels> {
  const document = await store.levels(seriesKey(series), fingerprintOf(values, rules));
  return document === undefined ? findLevels(values, rules) : parseLevels(document);
}

export interface LevelsQuery {
  readonly series: JudgedSeries;
  readonly values: Float64Array;
  /** Of the definition, where the reader honours them. */
  readonly rules?: LevelRules;
}

const MANY = 1_000_000;

/** Finds and stores the levels of the series of a scope as pages will request them. What is stored already is kept. */
export async function storeLevels(
  { run, testIds, experiments = run?.experiments }: JudgeScope,
  rules: JudgingRules,
  { store, signal }: { readonly store: Store; readonly signal?: CancelSignal },
): Promise<void> {
  const changed = new Map(
    (await store.changes({ limit: MANY })).map(({ series }) => [seriesKey(series), series]),
  );
  const isAll = experiments === undefined && testIds === undefined;
  for (const experiment of experiments ?? (isAll ? [undefined] : [])) {
    const all = await store.series({ limit: MANY, ...(experiment !== undefined && { experiment }) });
    // A series at a time: a transaction over all of them would keep a night from writing for minutes.
    for (const { id, experiment, path } of all) {
      const series = { kind: 'value', experiment, path } as const;
      const hasChanges = changed.has(seriesKey(series));
      const limit = hasChanges ? JUDGED_VALUES.explanation : JUDGED_VALUES.chart;
      if (signal?.aborted) return;
      const { values } = await store.history(id, { limit });
      await storeOne(store, series, wantedLevels(values, hasChanges ? rules.rulesFor(series) : undefined));
    }
  }
  if (!isAll && testIds === undefined) return;
  for (const series of changed.values()) {
    if (series.kind !== 'kpi' || signal?.aborted) continue;
    const { values } = await store.kpiHistory(series, { limit: JUDGED_VALUES.explanation });
    await storeOne(store, series, wantedLevels(values, rules.rulesFor(series)));
  }
}

type WantedLevels = Omit<LevelsQuery, 'series'>;

/** `rules`: those of a series with changes, whose pages honour them. */
function wantedLevels(values: Float64Array, rules: LevelRules | undefined): readonly WantedLevels[] {
  const { list, chart } = JUDGED_VALUES;
  const parts = [list, chart, values.length].map((limit) => ({ values: values.subarray(-limit) }));
  return rules ? [...parts, { values: values.subarray(-chart), rules }] : parts;
}

async function storeOne(store: Store, series: JudgedSeries, wanted: readonly WantedLevels[]): Promise<void> {
  const key = seriesKey(series);
  const found = new Map<string, StoredLevels>();
  let isNew = false;
  for (const { values, rules = {} } of wanted) {
    const fingerprint = fingerprintOf(values, rules);
    if (values.length === 0 || found.has(fingerprint)) continue;
    const stored = await store.levels(key, fingerprint);
    isNew ||= stored === undefined;
    found.set(fingerprint, {
      ...{ series: key, fingerprint },
      document: stored ?? writeLevels(findLevels(values, rules)),
    });
  }
  if (isNew) await store.saveLevels([...found.values()]);
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
