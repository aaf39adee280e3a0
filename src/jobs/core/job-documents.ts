import { documentFile } from '../../platform/core/site/document-file.ts';
import { siteFileName } from '../../platform/core/site/file-name.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { ComparedJob } from './compare-jobs.ts';
import type { Job } from './job.ts';
import { type ShownStatus, shownStatus } from './shown-job.ts';

/** What the API answers about jobs, for whoever reads it: the page, a static site, a script. */
export interface JobList {
  readonly jobs: readonly ListedJob[];
  /** For the next page: what `before` is then. */
  readonly nextBefore?: string;
}

/** How many jobs there are, whatever page of them is shown. */
export interface JobCounts {
  readonly total: number;
  /** Of each status; those of which there is none are left out. */
  readonly statuses: Readonly<Partial<Record<ShownStatus, number>>>;
}

/** Whether whoever asks may change jobs; why not, and what to do about it. */
export type JobRights =
  | { readonly canWrite: true }
  | { readonly canWrite: false; readonly error: string; readonly hint: string };

/** Metrics of several jobs as columns. */
export interface JobSeriesDocument {
  readonly jobs: readonly SeriesJob[];
  /** More jobs were asked for than are answered. */
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
  /** Place in `jobs`. */
  readonly job: number;
  readonly measurement: string;
  readonly tags: JsonObject;
  /** Milliseconds since 1970, rising. */
  readonly times: readonly number[];
  /** Each as long as `times`; null where a moment has no such field. What is not finite is a text. */
  readonly fields: Readonly<Record<string, readonly SeriesCell[]>>;
  /** Points that were left out of a longer series: the lowest and the highest of each stretch are there. */
  readonly leftOut?: number;
}

export type SeriesCell = number | 'nan' | 'inf' | '-inf' | null;

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

const SHOWN = /\.(?:png|jpe?g|gif|webp|svg)$/i;

/** Where a picture of a job is in a static site, beside its document; undefined: it is no picture that is published. */
export function jobImagePath(id: string, path: string): string | undefined {
  const [ending] = SHOWN.exec(path) ?? [];
  if (ending === undefined) return undefined;
  const job = documentFile(`jobs/${encodeURIComponent(id)}`).replace(/\.js$/, '');
  return `${job}-${siteFileName(path.slice(0, -ending.length))}${ending.toLowerCase()}`;
}
