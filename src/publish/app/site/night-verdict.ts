import { countTrials } from '../../../home/app/run-queries.ts';
import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { SiteOutcome } from '../../core/site/site-status.ts';

export interface NewestNight {
  readonly project?: string;
  /** The newest run that ended and has something to show. */
  readonly dataAt?: number;
  readonly outcome: SiteOutcome;
}

/** Whether the newest night gave something that is worth showing. One that still runs says nothing yet. */
export async function newestNight(store: Store): Promise<NewestNight> {
  const runs = [
    ...(await store.latestRuns({ limit: LOOKED_AT, kind: 'night' })),
    ...(await store.latestRuns({ limit: LOOKED_AT, kind: 'import' })),
  ].sort((a, b) => b.startedAt - a.startedAt);
  const ended = runs.filter(({ state }) => state !== 'running');
  let outcome: SiteOutcome = { state: 'fine' };
  for (const [place, run] of ended.entries()) {
    const verdict = await judge(run, store);
    if (verdict.state === 'shows')
      return { project: run.project, dataAt: run.endedAt ?? run.startedAt, outcome };
    if (place === 0 && verdict.state === 'broken') outcome = { ...verdict, runId: run.id };
  }
  return { ...(ended[0] && { project: ended[0].project }), outcome };
}

const LOOKED_AT = 60;

type Verdict =
  | { readonly state: 'shows' }
  /** Without a new commit there was nothing to measure: nothing is wrong, and nothing is new. */
  | { readonly state: 'skipped' }
  | { readonly state: 'broken'; readonly reason: string };

async function judge(run: Run, store: Store): Promise<Verdict> {
  if (run.state === 'interrupted')
    return { state: 'broken', reason: `The night ${run.label} was interrupted.` };
  const { total, succeeded, skipped } = countTrials(await store.trialsOf([run.id]), 'experiment');
  if (succeeded > 0 || total === 0) return { state: 'shows' };
  if (total === skipped) return { state: 'skipped' };
  return { state: 'broken', reason: `No experiment of the night ${run.label} succeeded.` };
}
