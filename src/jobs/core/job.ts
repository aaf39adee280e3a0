import type { Exit } from '../../executors/core/executor.ts';
import type { ClusterPlace, Resources } from '../../executors/core/place.ts';
import type { GitState } from '../../git/core/source-control.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';

/** A job as it was submitted: everything that is needed to run it again. It never changes. */
export interface JobSpec {
  /** 24 hex digits, the first eight of them seconds since 1970: sorts by time. Its last six name folders and pods. */
  readonly id: string;
  readonly user: string;
  readonly project: string;
  readonly experiment: string;
  readonly name: string;
  readonly program: JobProgram;
  /** What the submission sets beyond the script's own defaults. */
  readonly overrides: JsonObject;
  readonly code?: JobCode;
  readonly git?: GitState;
  /** How many processes work on it together, each with a rank. */
  readonly workers: number;
  /** The higher goes first; among equals the older. */
  readonly priority: number;
  /** Id of the executor. */
  readonly executor: string;
  readonly resources: Resources;
  readonly place: ClusterPlace;
  /** Added to the environment of the worker. */
  readonly env: Readonly<Record<string, string>>;
  /** Jobs that must have finished before. */
  readonly after: readonly string[];
  /** How often a failed attempt is repeated. */
  readonly retries: number;
  readonly createdAt: number;
  /** The job whose description this one repeats. */
  readonly rerunOf?: string;
  /** Key of the sweep that made it, the same for all of them. */
  readonly sweep?: string;
}

/** A command as it is, or a Python module with `config` and `main()`, path relative to the code. */
export type JobProgram =
  | { readonly type: 'command'; readonly argv: readonly [string, ...string[]] }
  | { readonly type: 'script'; readonly path: string };

/** A package by the hash of its content, or a folder that every worker can see. */
export type JobCode =
  | { readonly type: 'package'; readonly hash: string; readonly name: string }
  | { readonly type: 'path'; readonly path: string };

export const JOB_STATUSES = ['CREATED', 'SCHEDULED', 'RUNNING', 'FINISHED', 'CANCELED', 'FAILED'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A job, and what became of it so far. */
export interface Job extends JobSpec {
  readonly status: JobStatus;
  /** From 1; grows when it is tried again or its worker was lost. */
  readonly attempt: number;
  /** Attempts that ended because a worker was lost. */
  readonly lost: number;
  /** Ranks that were claimed in this attempt. */
  readonly registered: number;
  /** Not to be claimed before: back-off between attempts. */
  readonly notBefore?: number;
  readonly scheduledAt?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly heartbeatAt?: number;
  /** Of rank 0. */
  readonly host?: string;
  /** Relative to the folder of results. */
  readonly outputDir?: string;
  /** The configuration that the script ran with; the overrides until it reports one. */
  readonly config: JsonObject;
  /** How the program of the rank that decided ended. */
  readonly exit?: Exit;
  /** Why it is as it is: cancelled by whom, which dependency failed, which worker was lost. */
  readonly reason?: string;
  readonly exception?: string;
  readonly traceback?: string;
  readonly exceptionWorker?: number;
  readonly ranks: readonly JobRank[];
  /** `progress` (0 to 1) and whatever else the script reports. */
  readonly state: JsonObject;
  /** Set by people: star, bug, note, description ... */
  readonly annotations: JsonObject;
  /** Paths relative to the output folder, by key. */
  readonly images: Readonly<Record<string, string>>;
  readonly timings: readonly JobTiming[];
  /** The newest, smallest and largest value of each metric. */
  readonly metrics: readonly JobMetric[];
  /** Where it ran: machine, versions, variables that matter. */
  readonly environment: JsonObject;
}

/** One worker of a job in its newest attempt. */
export interface JobRank {
  readonly rank: number;
  readonly host: string;
  readonly pid: number;
  /** Distinguishes two processes with the same number, e.g. by their start time; compared as text. */
  readonly incarnation: string;
  readonly heartbeatAt: number;
  /** Its name on the cluster: number of a Slurm job, name of a pod. */
  readonly ref?: string;
  /** Its worker reported the end of the program; of a cancelled job, that nothing of it runs any more. */
  readonly isDone?: true;
}

export interface JobTiming {
  readonly event: string;
  readonly rank: number;
  readonly mean: number;
  readonly std: number;
  readonly instances: number;
}

export interface JobMetric {
  /** md5 of measurement and tags: see src/metrics/core/lines/metric-id-text.ts. */
  readonly id: string;
  readonly measurement: string;
  readonly tags: JsonObject;
  /** Of each field. NaN and infinities as text. */
  readonly fields: Readonly<Record<string, JobMetricField>>;
}

export interface JobMetricField {
  readonly count: number;
  readonly last: number | string | boolean;
  readonly min?: number;
  readonly max?: number;
}

/** One piece of output. */
export interface JobLogEntry {
  readonly worker: number;
  readonly type: 'info' | 'error';
  readonly message: string;
  readonly time: number;
}

/**
 * 24 hex digits: seconds since 1970, then ten digits of chance, then a count. The shape of the ids that users of the old
 * monitor have in their notes; text order is the order of time.
 */
export function jobIds(now: number, random: () => number): () => string {
  const seconds = hex(Math.floor(now / 1000), 8);
  const chance = hex(random(), 8) + hex(random() & 0xff, 2);
  // From anywhere: the last six digits name folders, and those of two submissions should differ.
  let count = random() & 0xffffff;
  return () => {
    const id = seconds + chance + hex(count, 6);
    count = (count + 1) & 0xffffff;
    return id;
  };
}

/** The id that people type and see: the last six digits. */
export function shortId(id: string): string {
  return id.slice(-6);
}

function hex(value: number, digits: number): string {
  return (value >>> 0).toString(16).padStart(digits, '0').slice(-digits);
}

/** The program as a shell command. */
export function programText(program: JobProgram): string {
  return program.type === 'command' ? program.argv.map(shellQuote).join(' ') : program.path;
}
