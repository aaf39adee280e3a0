import type { BriefRun } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { ResolvedSide } from './resolve-side.ts';
import { valueRuns } from './run-book.ts';

/** Earlier runs that tell the noise: with twice as many an interval would be 3 % narrower, and cost twice the reading. */
const PAST = 20;
/** Runs among which they are looked for. */
const LOOKED_AT = 200;
const FEW = 5;

/**
 * Runs on the machines of the two sides up to the earlier side, oldest first: what happened between the sides is what is
 * asked about, and no noise. Where there are too few of them, runs after the later side.
 */
export async function pastRuns(
  base: ResolvedSide,
  head: ResolvedSide,
  store: Store,
): Promise<readonly BriefRun[]> {
  const ends = [base, head].map(({ runs }) => runs[0].startedAt);
  const machines = new Set([...base.runs, ...head.runs].map(({ machineId }) => machineId));
  const later = (ends[0] ?? 0) <= (ends[1] ?? 0) ? head : base;
  const compared = new Set(later.runs.map(({ id }) => id));
  const isUsable = (run: BriefRun) => machines.has(run.machineId) && !compared.has(run.id);
  const before = await valueRuns(store, { limit: LOOKED_AT, before: Math.min(...ends) + 1 });
  const past = before.filter(isUsable).slice(0, PAST);
  if (past.length >= FEW) return past.reverse();
  const known = await valueRuns(store, { limit: LOOKED_AT });
  const after = known.filter((run) => run.startedAt > Math.max(...ends) && isUsable(run)).slice(0, PAST);
  return after.length > past.length ? after.reverse() : past.reverse();
}
