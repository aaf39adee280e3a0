import type { Run } from '../../core/model/run.ts';
import type { Store } from '../../core/ports/store.ts';
import type { SiteOutcome } from '../../core/site/site-status.ts';
import { countTrials } from '../count-trials.ts';

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
    const reason = await whyBroken(run, store);
    if (reason === undefined) return { project: run.project, dataAt: run.endedAt ?? run.startedAt, outcome };
    if (place === 0) outcome = { state: 'broken', reason, runId: run.id };
  }
  return { ...(ended[0] && { project: ended[0].project }), outcome };
}

const LOOKED_AT = 60;

async function whyBroken(run: Run, store: Store): Promise<string | undefined> {
  if (run.state === 'interrupted') return `The night ${run.label} was interrupted.`;
  const { total, succeeded } = countTrials(await store.trialsOf([run.id]), 'experiment');
  return total > 0 && succeeded === 0 ? `No experiment of the night ${run.label} succeeded.` : undefined;
}
