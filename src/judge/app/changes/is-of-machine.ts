import type { Store } from '../../../home/core/store.ts';
import type { NightKey } from '../../core/changes/night-of.ts';
import type { Fact } from '../../core/explain/explanation.ts';
import { documentFacts } from './explain-payloads.ts';
import { payloadOf } from './machine-book.ts';
import type { SharedStep } from './shared-steps.ts';

/** A test that moved, and the one of the same series before it. */
export interface TestPair {
  readonly test: NightKey;
  readonly before: NightKey;
}

/**
 * Whether values moved together on account of their machine. Those of one program may do so since the program changed;
 * where experiments and KPIs moved alike, it was none of them.
 */
export async function isOfMachine(
  { runId, at, hasValues, pairs }: SharedStep,
  store: Store,
): Promise<boolean> {
  if (pairs.length === 0) return !(await hasNewCommit(runId, at, store));
  return hasValues || !(await hasNewVersion(pairs, store));
}

/** All series of a single experiment may move together since its source did: that is no sign of the machine. */
async function hasNewCommit(runId: string, at: number, store: Store): Promise<boolean> {
  const isImport = (await store.run(runId))?.kind === 'import';
  // Imports of several suites may lie between each other; of nights, the last one counts.
  const query = isImport
    ? ({ limit: IMPORTS_BACK, kind: 'import' } as const)
    : ({ limit: 1, kind: 'night' } as const);
  const before = (await store.latestRuns({ ...query, before: at })).map(({ id }) => id);
  const trials = (await store.trialsOf([runId, ...before])).filter(
    ({ kind, state }) => kind === 'experiment' && state === 'succeeded',
  );
  const here = trials.filter((trial) => trial.runId === runId);
  if (here.length !== 1) return false;
  const [one] = here;
  const ofTask = trials.filter((trial) => trial.runId !== runId && trial.task === one?.task);
  const last = ofTask.sort((a, b) => before.indexOf(a.runId) - before.indexOf(b.runId))[0];
  // Who imports without saying the commit may have measured another program.
  if (isImport && Object.keys(one?.commits ?? {}).every((name) => last?.commits[name] === undefined))
    return true;
  return Object.entries(one?.commits ?? {}).some(
    ([name, commit]) => last?.commits[name] !== undefined && last.commits[name] !== commit,
  );
}

const IMPORTS_BACK = 100;

/** Enough to tell whether most have one. */
const MOST_PAIRS = 20;

/** KPIs of a matrix are of one program: where most of its tests have another version or image than before, it may be that. */
async function hasNewVersion(pairs: readonly TestPair[], store: Store): Promise<boolean> {
  const looked = pairs.slice(0, MOST_PAIRS);
  let changed = 0;
  for (const { test, before } of looked) {
    const [now, then] = [await versionsOf(test, store), await versionsOf(before, store)];
    const isNew = [...now].some(([name, value]) => then.has(name) && then.get(name) !== value);
    if (isNew) changed++;
  }
  return 2 * changed >= looked.length;
}

async function versionsOf(
  { runId, at }: NightKey,
  store: Store,
): Promise<ReadonlyMap<string, Fact['value']>> {
  const payload = await payloadOf(runId, at, store);
  const facts = payload ? documentFacts(payload) : [];
  return new Map(facts.flatMap(({ group, name, value }) => (group === 'version' ? [[name, value]] : [])));
}
