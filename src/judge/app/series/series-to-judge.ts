import type { Payload } from '../../../formats/core/kpi/kpi.ts';
import { payloadMachine, payloadStart } from '../../../formats/core/kpi/read-payload.ts';
import type { BetterFrom } from '../../../formats/core/sample.ts';
import type { Better, JudgedSeries } from '../../../home/core/changes/change.ts';
import type { History, Store } from '../../../home/core/store.ts';
import { type MachineLookup, machineLookup } from './machine-lookup.ts';
import { isDetail } from './series-values.ts';
import { JUDGED_VALUES } from './stored-judgements.ts';

/** One series with its newest values; `isTouched`: something of the scope is among them. */
export interface LoadedSeries {
  readonly series: JudgedSeries;
  readonly unit: string;
  readonly better: Better;
  readonly betterFrom?: BetterFrom;
  readonly history: History;
  /** There are older values. */
  readonly isCut: boolean;
  readonly isTouched: boolean;
  /** Where its newest value was measured; absent for tests that do not say it. */
  readonly machine?: string;
}

/** What is new. Without any of these, all series are judged. */
export interface JudgeScope {
  /** A night: series of its experiments. */
  readonly run?: { readonly id: string; readonly experiments: readonly string[] };
  /** Imports: all series of these experiments, for what is new may lie anywhere in their history. */
  readonly experiments?: readonly string[];
  /** Tests of a matrix: series of their KPIs. */
  readonly testIds?: readonly string[];
}

const MANY = 1_000_000;

/** Series of a scope one at a time, so that a home of any size fits into memory. */
export async function* seriesToJudge(
  store: Store,
  scope: JudgeScope,
  isWanted: (series: JudgedSeries) => boolean,
): AsyncGenerator<LoadedSeries> {
  const isAll = isWhole(scope);
  const sources = { store, machines: machineLookup(store) };
  if (isAll || scope.run || scope.experiments) yield* valueSeries(sources, scope, isWanted);
  if (isAll || scope.testIds) yield* kpiSeries(sources, scope, isWanted);
}

/** Whether all series of a home are judged. */
export function isWhole({ run, testIds, experiments }: JudgeScope): boolean {
  return [run, testIds, experiments].every((part) => part === undefined);
}

interface Sources {
  readonly store: Store;
  readonly machines: MachineLookup;
}

async function* valueSeries(
  { store, machines }: Sources,
  { run, experiments = run?.experiments }: JudgeScope,
  isWanted: (series: JudgedSeries) => boolean,
): AsyncGenerator<LoadedSeries> {
  const groups = experiments?.map((experiment) => ({ experiment, limit: MANY })) ?? [{ limit: MANY }];
  for (const query of groups) {
    for (const { id, experiment, path, unit, better, betterFrom } of await store.series(query)) {
      const series = { kind: 'value', experiment, path } as const;
      if (isDetail({ path }) || !isWanted(series)) continue;
      const history = await store.history(id, { limit: JUDGED_VALUES });
      const isTouched = run === undefined || history.runIds.at(-1) === run.id;
      const machine = (await machines.ofRun(history.runIds.at(-1) ?? '')) ?? 'unknown';
      const isCut = history.runIds.length === JUDGED_VALUES;
      const direction = { better, ...(betterFrom !== undefined && { betterFrom }) };
      yield { series, unit, ...direction, history, isCut, isTouched, machine };
    }
  }
}

async function* kpiSeries(
  { store, machines }: Sources,
  { testIds }: JudgeScope,
  isWanted: (series: JudgedSeries) => boolean,
): AsyncGenerator<LoadedSeries> {
  const done = new Set<string>();
  const queries = testIds ? testIds.map((testId) => ({ testId, limit: MANY })) : [{ limit: MANY }];
  for (const query of queries) {
    for (const { name, labels, unit, better, betterFrom, isIgnored } of await store.kpiSeries(query)) {
      const key = JSON.stringify([name, labels]);
      const series = { kind: 'kpi', name, labels } as const;
      if (done.has(key) || isIgnored || !isWanted(series)) continue;
      done.add(key);
      const history = await store.kpiHistory({ name, labels }, { limit: JUDGED_VALUES });
      const isCut = history.runIds.length === JUDGED_VALUES;
      const machine = await machines.ofTest(history.runIds.at(-1) ?? '', history.times.at(-1) ?? 0);
      const facts = { isCut, isTouched: true, ...(machine !== undefined && { machine }) };
      const direction = { better, ...(betterFrom !== undefined && { betterFrom }) };
      yield { series, unit, ...direction, history, ...facts };
    }
  }
}

const HALF_DAY_MS = 12 * 3_600_000;
/** Tests of half a day; more of them say nothing more about a machine. */
const MOST_TESTS = 1_000;

/** A night and the tests of its machine that ran in it are judged together: only so a machine that moved both is one event. */
export async function widenScope(scope: JudgeScope, store: Store): Promise<JudgeScope> {
  if (scope.experiments) return scope;
  if ((scope.run === undefined) === (scope.testIds === undefined)) return scope;
  const night = scope.run ? await store.run(scope.run.id) : await newestNight(store);
  if (!night) return scope;
  const machine = await machineLookup(store).ofRun(night.id);
  const range = { from: night.startedAt, to: night.startedAt + HALF_DAY_MS, limit: MOST_TESTS };
  const tests = (await store.payloads(range)).filter((payload) => isOn(payload, machine));
  const ids = tests.map(({ metadata }) => metadata.test_uuid);
  if (scope.run) return ids.length === 0 ? scope : { ...scope, testIds: ids };
  const own = new Set(scope.testIds);
  if (!ids.some((id) => own.has(id))) return scope;
  const trials = await store.trialsOf([night.id]);
  const experiments = trials
    .filter(({ kind, state }) => kind === 'experiment' && state === 'succeeded')
    .map(({ task }) => task);
  return { testIds: [...new Set([...own, ...ids])], run: { id: night.id, experiments } };
}

async function newestNight(store: Store) {
  const runs = await store.latestRuns({ limit: 2, kind: 'night' });
  return runs.find(({ state }) => state !== 'running');
}

function isOn(payload: Payload, machine: string | undefined): boolean {
  return Number.isFinite(payloadStart(payload)) && payloadMachine(payload) === machine;
}
