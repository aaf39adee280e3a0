import type { Job } from './job.ts';
import { type ShownStatus, shownStatus } from './shown-status.ts';

/** A job as it is shown. Variables of its environment may be secrets: only their names are. */
export interface JobView extends Omit<Job, 'env' | 'status'> {
  readonly status: ShownStatus;
  readonly progress?: number;
  readonly envNames: readonly string[];
}

export function jobView(job: Job, now: number): JobView {
  const { env, ...shown } = job;
  const progress = job.state['progress'];
  return {
    ...shown,
    status: shownStatus(job, now),
    ...(typeof progress === 'number' && { progress }),
    envNames: Object.keys(env),
  };
}

/** For lists: without what is long. */
export type ListedJob = Omit<JobView, (typeof LONG)[number]> & { readonly commit?: string };

const LONG = ['git', 'traceback', 'environment', 'timings', 'ranks', 'images', 'place'] as const;

export function listedJob(job: Job, now: number): ListedJob {
  const { git, traceback, environment, timings, ranks, images, place, ...shown } = jobView(job, now);
  return { ...shown, ...(git && { commit: git.commit }) };
}
