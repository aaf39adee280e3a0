import type { Better, JudgedSeries } from '../../../home/core/changes/change.ts';
import type { History, Store } from '../../../home/core/store.ts';
import { isDetail } from '../read-values.ts';
import { type MachineBook, machineBook } from './machine-book.ts';

/** One series with its newest values; `isTouched`: something of the scope is among them. */
export interface SeriesInHand {
  readonly series: JudgedSeries;
  readonly unit: string;
  readonly better: Better;
  readonly history: History;
  /** There are older values. */
  readonly isCut: boolean;
  readonly isTouched: boolean;
  /** Where its newest value was measured; absent for tests that do not say it. */
  readonly machine?: string;
}

/** What is new. Nothing named: everything is looked at. */
export interface JudgeScope {
  /** A night: series of its experiments. */
  readonly run?: { readonly id: string; readonly experiments: readonly string[] };
  /** Imports: all series of these experiments, for what is new may lie anywhere in their history. */
  readonly experiments?: readonly string[];
  /** Tests of a matrix: series of their KPIs. */
  readonly testIds?: readonly string[];
}

/** Values that are looked at: some years of nights. */
const HISTORY = 2_000;
const MANY = 1_000_000;

/** Series of a scope one at a time, so that a home of any size fits into memory. */
export async function* seriesToJudge(
  store: Store,
  scope: JudgeScope,
  isWanted: (series: JudgedSeries) => boolean,
): AsyncGenerator<SeriesInHand> {
  const isAll = [scope.run, scope.testIds, scope.experiments].every((part) => part === undefined);
  const books = { store, machines: machineBook(store) };
  if (isAll || scope.run || scope.experiments) yield* valueSeries(books, scope, isWanted);
  if (isAll || scope.testIds) yield* kpiSeries(books, scope, isWanted);
}

interface Books {
  readonly store: Store;
  readonly machines: MachineBook;
}

async function* valueSeries(
  { store, machines }: Books,
  { run, experiments = run?.experiments }: JudgeScope,
  isWanted: (series: JudgedSeries) => boolean,
): AsyncGenerator<SeriesInHand> {
  const groups = experiments?.map((experiment) => ({ experiment, limit: MANY })) ?? [{ limit: MANY }];
  for (const query of groups) {
    for (const { id, experiment, path, unit, better } of await store.series(query)) {
      const series = { kind: 'value', experiment, path } as const;
      if (isDetail({ path }) || !isWanted(series)) continue;
      const history = await store.history(id, { limit: HISTORY });
      const isTouched = run === undefined || history.runIds.at(-1) === run.id;
      const machine = (await machines.ofRun(history.runIds.at(-1) ?? '')) ?? 'unknown';
      yield { series, unit, better, history, isCut: history.runIds.length === HISTORY, isTouched, machine };
    }
  }
}

async function* kpiSeries(
  { store, machines }: Books,
  { testIds }: JudgeScope,
  isWanted: (series: JudgedSeries) => boolean,
): AsyncGenerator<SeriesInHand> {
  const done = new Set<string>();
  const queries = testIds ? testIds.map((testId) => ({ testId, limit: MANY })) : [{ limit: MANY }];
  for (const query of queries) {
    for (const { name, labels, unit, better, isIgnored } of await store.kpiSeries(query)) {
      const key = JSON.stringify([name, labels]);
      const series = { kind: 'kpi', name, labels } as const;
      if (done.has(key) || isIgnored || !isWanted(series)) continue;
      done.add(key);
      const history = await store.kpiHistory({ name, labels }, { limit: HISTORY });
      const isCut = history.runIds.length === HISTORY;
      const machine = await machines.ofTest(history.runIds.at(-1) ?? '', history.times.at(-1) ?? 0);
      const facts = { isCut, isTouched: true, ...(machine !== undefined && { machine }) };
      yield { series, unit, better, history, ...facts };
    }
  }
}
