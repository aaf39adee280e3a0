import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import type { ComparedSection } from './compare/compare-jobs.ts';
import type { ListedJob } from './job-view.ts';
import type { ShownStatus } from './shown-status.ts';

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

/** A job as a column of a comparison, and as the origin of curves. */
export interface ComparedJob {
  readonly id: string;
  readonly name: string;
  readonly experiment: string;
}

export interface ComparedDocument {
  readonly jobs: readonly ComparedJob[];
  /** More were asked for than are compared. */
  readonly isCut: boolean;
  readonly sections: readonly {
    readonly title: ComparedSection['title'];
    readonly rows: readonly ComparedCells[];
  }[];
}

/** `ComparedRow`, where JSON can say what is missing. */
export interface ComparedCells {
  readonly key: string;
  readonly values: readonly JsonValue[];
  /** Places of the jobs that have none; null stands there. */
  readonly missing?: readonly number[];
  readonly isEqual: boolean;
  readonly change?: number;
}

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
