import type { Payload } from '../../../formats/core/kpi/kpi.ts';
import { payloadMachine, payloadStart } from '../../../formats/core/kpi/read-payload.ts';
import type { Store } from '../../../home/core/store.ts';
import { machineBook } from './machine-book.ts';
import type { JudgeScope } from './series-to-judge.ts';

const HALF_DAY_MS = 12 * 3_600_000;
/** Tests of half a day; more of them tell nothing more of a machine. */
const MOST_TESTS = 1_000;

/** A night and the tests of its machine that ran in it are judged together: only so a machine that moved both is one event. */
export async function widenScope(scope: JudgeScope, store: Store): Promise<JudgeScope> {
  if (scope.experiments) return scope;
  if ((scope.run === undefined) === (scope.testIds === undefined)) return scope;
  const night = scope.run ? await store.run(scope.run.id) : await newestNight(store);
  if (!night) return scope;
  const machine = await machineBook(store).ofRun(night.id);
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
