import type { BriefRun } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { type CompareEffects, type ResolvedSide, resolveSide } from './resolve-side.ts';
import { valueRuns } from './run-book.ts';

export interface AskedSides {
  readonly home: string;
  /** Absent: the newest run for the head, the one before it for the base. */
  readonly base?: string;
  readonly head?: string;
}

/** Both sides; what was not asked for is chosen. */
export async function resolveSides(
  { home, base, head }: AskedSides,
  effects: CompareEffects,
): Promise<{ readonly base: ResolvedSide; readonly head: ResolvedSide }> {
  const after = await resolveSide(head ?? 'latest', home, effects);
  if (base !== undefined) return { base: await resolveSide(base, home, effects), head: after };
  const before = await runBefore(after, effects.store);
  return { base: { asked: before.id, runs: [before], matched: 1 }, head: after };
}

const LOOKED_AT = 60;

/** The newest earlier run with an experiment of the head in it; on the same machine if there is one. */
async function runBefore({ asked, runs }: ResolvedSide, store: Store): Promise<BriefRun> {
  const oldest = runs.at(-1) ?? runs[0];
  const earlier = await valueRuns(store, { limit: LOOKED_AT, before: oldest.startedAt });
  const wanted = await experimentsOf(runs[0], store);
  let other: BriefRun | undefined;
  for (const run of earlier) {
    const own = await experimentsOf(run, store);
    if (![...own].some((name) => wanted.has(name))) continue;
    if (run.machineId === runs[0].machineId) return run;
    other ??= run;
  }
  if (other !== undefined) return other;
  throw new NightmarkError('COMPARE_NO_BASE', `There is no run before ${asked} to compare it with.`, {
    hint: 'Run a second night (nightmark run), or name the base: nightmark compare BASE HEAD',
  });
}

async function experimentsOf({ id }: BriefRun, store: Store): Promise<ReadonlySet<string>> {
  const trials = await store.trialsOf([id]);
  return new Set(trials.filter(({ kind }) => kind === 'experiment').map(({ task }) => task));
}
