import type { Run } from '../../../home/core/run.ts';
import type { Fact } from '../../core/explain/explanation.ts';
import { decidingMachineFacts } from '../../core/explain/flat-facts.ts';
import type { ExplainEffects } from './explain-effects.ts';
import { closeFacts } from './explain-near.ts';

export interface FactRequest {
  readonly home: string;
  /** Of each point of the series. */
  readonly runIds: readonly string[];
  /** Index of the change. */
  readonly at: number;
}

export interface GatheredFacts {
  /** Of each point of the series. */
  readonly facts: readonly (readonly Fact[])[];
  readonly notes: readonly string[];
}

/** Facts of runs: commits, machine and warnings of all; settings of the machine, versions and telemetry of near ones. */
export async function runFacts(
  request: FactRequest & { readonly experiment: string },
  effects: ExplainEffects,
): Promise<GatheredFacts> {
  const { runIds, at, experiment } = request;
  const commits = await commitsByRun(runIds, experiment, effects);
  const machines = new Map<string, readonly Fact[]>();
  const runs = new Map<string, Run | undefined>();
  const facts: (readonly Fact[])[] = [];
  let missing = 0;
  for (const [index, id] of runIds.entries()) {
    if (!runs.has(id)) runs.set(id, await effects.store.run(id));
    const run = runs.get(id);
    if (!run) missing++;
    const machine = run?.machineId === undefined ? [] : await decidingOf(run.machineId, machines, effects);
    const distance = index < at ? at - index : index - at + 1;
    const close = run ? await closeFacts(run, { ...request, distance }, effects) : [];
    // Later ones win: the journal knows the machine as it was in that run.
    const own = run ? [originOf(run)] : [];
    facts.push([...machine, ...(commits.get(id) ?? []), ...own, ...close]);
  }
  const notes = missing === 0 ? [] : [`${missing} of ${runIds.length} runs are not in the index any more.`];
  const known = runIds.map((id) => runs.get(id));
  return { facts: withWarnings(facts, known), notes };
}

async function commitsByRun(
  runIds: readonly string[],
  experiment: string,
  { store }: ExplainEffects,
): Promise<ReadonlyMap<string, readonly Fact[]>> {
  const trials = await store.trialsOf([...new Set(runIds)]);
  const ours = trials.filter(({ task, kind }) => task === experiment && kind === 'experiment');
  return new Map(
    ours.map(({ runId, commits }) => [
      runId,
      Object.entries(commits).map(([name, value]): Fact => ({ group: 'source', name, value: String(value) })),
    ]),
  );
}

async function decidingOf(
  id: string,
  known: Map<string, readonly Fact[]>,
  { store }: ExplainEffects,
): Promise<readonly Fact[]> {
  const facts = known.get(id) ?? decidingMachineFacts((await store.machine(id))?.facts ?? {});
  known.set(id, facts);
  // A machine that nobody described is at least told from another.
  return facts.length > 0 ? facts : [{ group: 'machine', name: 'machine id', value: id }];
}

function originOf({ origin }: Run): Fact {
  return { group: 'environment', name: 'origin', value: origin };
}

/** A warning is a fact of every run: it was given, or it was not. Numbers in it differ without meaning. */
function withWarnings(
  facts: readonly (readonly Fact[])[],
  runs: readonly (Run | undefined)[],
): readonly (readonly Fact[])[] {
  const shape = (warning: string) => warning.replace(/\d+([.,]\d+)*/g, '#').slice(0, 200);
  const given = runs.map((run) => new Set(run?.warnings.map(shape)));
  const all = [...new Set(given.flatMap((warnings) => [...warnings]))].slice(0, MAX_WARNINGS);
  return facts.map((known, index) => [
    ...known,
    ...(runs[index] === undefined
      ? []
      : all.map((name): Fact => ({ group: 'warning', name, value: given[index]?.has(name) ?? false }))),
  ]);
}

const MAX_WARNINGS = 50;
