import type { BriefRun, Trial } from '../../../home/core/run.ts';
import { differingFacts, type SidedFact } from '../../core/compare/differing-facts.ts';
import type { ChangedFact, Fact } from '../../core/explain/explanation.ts';
import { decidingMachineFacts, textFacts } from '../../core/explain/flat-facts.ts';
import { sourceChanges } from '../explain/explain-sources.ts';
import { dataFacts, isOfInterest, journalFacts } from '../explain/run-facts.ts';
import type { CompareRunsEffects } from './compare-runs.ts';
import type { Differences } from './compare-view.ts';

export interface DifferencesRequest {
  readonly home: string;
  readonly base: readonly BriefRun[];
  readonly head: readonly BriefRun[];
  readonly trials: { readonly base: readonly Trial[]; readonly head: readonly Trial[] };
}

/** Files are read of the newest run of each side, and of this many experiments. */
const MOST_FILES = 60;

/** What was recorded of the runs beside their values, as far as it differs. */
export async function readDifferences(
  request: DifferencesRequest,
  effects: CompareRunsEffects,
): Promise<Differences> {
  const { home, base, head, trials } = request;
  const before = await factsOf({ home, runs: base, trials: trials.base, side: 'base' }, effects);
  const after = await factsOf({ home, runs: head, trials: trials.head, side: 'head' }, effects);
  const found = differingFacts([...before.facts, ...after.facts]);
  const moved = found.differing.flatMap(({ group, name, base: from, head: to }): readonly ChangedFact[] => {
    const [one, other] = [from.at(-1), to.at(-1)];
    const isPair = group === 'source' && from.length === 1 && to.length === 1;
    return isPair && one !== undefined && other !== undefined
      ? [{ group, name, before: one, after: other }]
      : [];
  });
  const { changes, notes } = await sourceChanges(
    home,
    moved.map((fact) => ({ facts: [fact] })),
    effects,
  );
  return { ...found, sources: changes, notes: [...new Set([...before.notes, ...after.notes, ...notes])] };
}

interface OneSide {
  readonly home: string;
  readonly runs: readonly BriefRun[];
  readonly trials: readonly Trial[];
  readonly side: SidedFact['side'];
}

async function factsOf(
  { home, runs, trials, side }: OneSide,
  effects: CompareRunsEffects,
): Promise<{ readonly facts: readonly SidedFact[]; readonly notes: readonly string[] }> {
  const facts: SidedFact[] = [];
  const add = (some: readonly Fact[], experiment?: string) => {
    for (const fact of some) facts.push({ ...fact, side, ...(experiment !== undefined && { experiment }) });
  };
  for (const run of runs) add(await runFacts(run, effects));
  for (const { commits } of trials)
    add(Object.entries(commits).map(([name, value]) => ({ group: 'source', name, value })));
  const [newest] = runs;
  if (newest === undefined) return { facts, notes: [] };
  add(await journalFacts(newest, home, effects));
  const own = trials.filter(({ runId, kind }) => runId === newest.id && kind === 'experiment');
  for (const { task } of own.slice(0, MOST_FILES))
    add(await dataFacts(newest, { home, experiment: task }, effects), task);
  for (const { task, kind, extra } of await effects.store.stagesOf(newest.id)) {
    if (kind === 'experiment') add(textFacts(extra, 'version').filter(isOfInterest), task);
  }
  const left = own.length - MOST_FILES;
  return { facts, notes: left > 0 ? [`Data files of ${left} more experiments were not compared.`] : [] };
}

async function runFacts(
  { machineId, origin, kind, warnings }: BriefRun,
  { store }: CompareRunsEffects,
): Promise<readonly Fact[]> {
  const machine = machineId === undefined ? undefined : await store.machine(machineId);
  return [
    ...(machine ? decidingMachineFacts(machine.facts) : []),
    ...(machineId === undefined
      ? []
      : [{ group: 'machine', name: 'machine', value: machine?.name ?? machineId } as const]),
    { group: 'environment', name: 'origin', value: origin },
    { group: 'environment', name: 'kind of run', value: kind },
    { group: 'environment', name: 'warnings', value: warnings.map(shapeOf).sort().join('; ') || 'none' },
  ];
}

/** Numbers in a warning differ without meaning. */
function shapeOf(warning: string): string {
  return warning.replace(/\d+([.,]\d+)*/g, '#').slice(0, 200);
}
