import { documentFile, siteFileName } from '../../platform/core/site/site-files.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { ComparedJob } from './compare-jobs.ts';
import type { Job } from './job.ts';
import { type ShownStatus, shownStatus } from './shown-job.ts';

/** One page of the list of jobs. */
export interface JobList {
  readonly jobs: readonly ListedJob[];
  /** The value of `before` for the next page. */
  readonly nextBefore?: string;
}

/** Number of jobs, independent of paging. */
export interface JobCounts {
  readonly total: number;
  /** By status; statuses without jobs are left out. */
  readonly statuses: Readonly<Partial<Record<ShownStatus, number>>>;
}

/** Whether the client may change jobs; if not, why, and what to do about it. */
export type JobRights =
  | { readonly canWrite: true }
  | { readonly canWrite: false; readonly error: string; readonly hint: string };

/** Metrics of several jobs as columns. */
export interface JobSeriesDocument {
  readonly jobs: readonly SeriesJob[];
  /** More jobs were requested than are in the answer. */
  readonly isCut: boolean;
  readonly series: readonly SeriesColumns[];
}

export interface SeriesJob extends ComparedJob {
  readonly project: string;
  readonly user: string;
  readonly description?: string;
  readonly startedAt?: number;
  /** By flat keys, without lists and secrets. */
  readonly config: Readonly<Record<string, string | number | boolean | null>>;
}

export interface SeriesColumns {
  /** Index in `jobs`. */
  readonly job: number;
  readonly measurement: string;
  readonly tags: JsonObject;
  /** Milliseconds since 1970, rising. */
  readonly times: readonly number[];
  /** Each as long as `times`; null where the point has no such field. NaN and infinities are text. */
  readonly fields: Readonly<Record<string, readonly SeriesCell[]>>;
  /** Points that were dropped from a longer series. The minimum and maximum of each segment are kept. */
  readonly leftOut?: number;
}

export type SeriesCell = number | 'nan' | 'inf' | '-inf' | null;

/** A job as the API gives it. Environment variables may be secrets, so only their names are given. */
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

/** For lists: without the long fields. */
export type ListedJob = Omit<JobView, (typeof LONG)[number]> & { readonly commit?: string };

const LONG = ['git', 'traceback', 'environment', 'timings', 'ranks', 'images', 'place'] as const;

export function listedJob(job: Job, now: number): ListedJob {
  const { git, traceback, environment, timings, ranks, images, place, ...shown } = jobView(job, now);
  return { ...shown, ...(git && { commit: git.commit }) };
}

const SHOWN = /\.(?:png|jpe?g|gif|webp|svg)$/i;

/** Path of an image of a job in a static site, beside its document; undefined for files that are not published. */
export function jobImagePath(id: string, path: string): string | undefined {
  const [ending] = SHOWN.exec(path) ?? [];
  if (ending === undefined) return undefined;
  const job = documentFile(`jobs/${encodeURIComponent(id)}`).replace(/\.js$/, '');
  return `${job}-${siteFileName(path.slice(0, -ending.length))}${ending.toLowerCase()}`;
}
