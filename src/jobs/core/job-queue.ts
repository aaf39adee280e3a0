import type { Exit } from '../../executors/core/executor.ts';
import type { Worker } from '../../platform/core/lock.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import type { Job, JobLogEntry, JobMetric, JobSpec, JobStatus, JobTiming } from './job.ts';
import type { JobSearch } from './job-search.ts';

/**
 * Jobs, their states, what they printed, and the code they run. Contract (test/contracts/job-queues.test.ts):
 * 1. What was submitted is there after kill -9, all of one call or nothing.
 * 2. A rank is claimed by one worker only, in order: priority, then age, then id; also by many processes at once. A job of
 *    which some ranks are claimed already goes before all others: its workers wait, and two such jobs could wait for each other.
 * 3. A worker whose attempt is over (cancelled, lost, taken over, deleted) writes nothing any more: its calls say so.
 * 4. The queue has one clock for all: an adapter for several machines takes the server's.
 * 5. A job ends once; what it reported until then is kept. Old states never come back.
 * 6. Nothing reads more than was requested; a search covers all jobs, its limit counts matches.
 * 7. A package is stored once for its hash, and goes when no job needs it.
 */
export interface JobQueue {
  readonly id: string;
  now(): number;

  submit(specs: readonly JobSpec[]): Promise<void>;
  job(id: string): Promise<Job | undefined>;
  /** Ids that hold this text, newest first. */
  idsWith(part: string, limit: number): Promise<readonly string[]>;
  /** Newest first. */
  list(query: JobQuery): Promise<readonly Job[]>;
  count(query: Omit<JobQuery, 'limit' | 'before'>): Promise<number>;

  claim(request: ClaimRequest): Promise<Claim | undefined>;
  /** The rank arrives at the barrier; returns how many have. Undefined: the attempt is over. */
  arrive(claim: ClaimKey, barrier: string): Promise<number | undefined>;
  /** Rank 0, when all are there: RUNNING. */
  begin(claim: ClaimKey, start: JobStart): Promise<boolean>;
  /** For each claim, whether it may continue. It counts for all ranks of the job that the same worker holds. */
  heartbeat(claims: readonly ClaimKey[]): Promise<readonly boolean[]>;
  report(claim: ClaimKey, report: JobReport): Promise<boolean>;
  appendLogs(claim: ClaimKey, entries: readonly JobLogEntry[]): Promise<boolean>;
  /**
   * FAILED by any rank, FINISHED when the last of all ranks has finished; a finished rank sends no more heartbeats,
   * and the end of rank 0 counts for the job. A failed one with retries left waits as CREATED for its next attempt.
   * For a cancelled job the answer is false, and `isDone` of the rank shows that nothing of it runs any more.
   */
  end(claim: ClaimKey, end: JobEnd): Promise<boolean>;

  /**
   * Passes the ranks that a worker holds to another process, which continues to follow them on a cluster, in the same
   * attempt; false when another process was faster. From then on the new worker's key is valid, and the old one is not.
   */
  takeOver(claim: ClaimKey, to: Worker): Promise<boolean>;
  /** Jobs whose workers are gone wait again, or fail when that was too often. */
  requeueLost(request: LostRequest): Promise<readonly LostJob[]>;
  /** CREATED and SCHEDULED jobs end at once; workers of RUNNING jobs learn it by their next heartbeat. Ended jobs stay as they are. */
  cancel(ids: readonly string[], reason: string): Promise<readonly CancelledJob[]>;
  /** FAILED and CANCELED jobs are queued again as a new attempt in the same folder, for programs that continue from a checkpoint. */
  resume(ids: readonly string[]): Promise<readonly ResumedJob[]>;
  /** Undefined removes the key. Dots in the key lead into objects. */
  annotate(id: string, key: string, value: JsonValue | undefined): Promise<Job | undefined>;
  /** Also deletes logs; returns the deleted jobs. The caller cancels running jobs first. */
  delete(ids: readonly string[]): Promise<readonly Job[]>;

  logs(id: string, query: LogQuery): Promise<LogPage>;

  savePackage(hash: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  hasPackage(hash: string): Promise<boolean>;
  package(hash: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Removes packages that no job needs and nobody saved in the last hour; returns their hashes. */
  collectPackages(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface JobQuery {
  readonly limit: number;
  readonly ids?: readonly string[];
  readonly user?: string;
  readonly project?: string;
  readonly experiment?: string;
  readonly name?: string;
  readonly sweep?: string;
  readonly status?: StatusFilter;
  readonly search?: JobSearch;
  /** Only jobs older than this one: for paging. */
  readonly before?: string;
}

/** UNRESPONSIVE: RUNNING with no heartbeat for 20 s. RUNNING: the others. QUEUE: RUNNING, SCHEDULED or CREATED. */
export type StatusFilter = JobStatus | 'UNRESPONSIVE' | 'QUEUE';

export interface ClaimRequest {
  readonly worker: Worker;
  /** Only these; absent: any. */
  readonly ids?: readonly string[];
  readonly project?: string;
  /** Only jobs of these executors. */
  readonly executors: readonly string[];
  /** All ranks at once: for executors that start them on a cluster. */
  readonly isWhole?: boolean;
  /** This rank, as assigned by MPI or Slurm, instead of the next free one. */
  readonly rank?: number;
}

/** Which rank of which attempt, and who holds it: only that one may write. */
export interface ClaimKey {
  readonly jobId: string;
  readonly attempt: number;
  readonly rank: number;
  readonly worker: Worker;
}

export interface Claim extends ClaimKey {
  readonly job: Job;
}

export interface JobStart {
  readonly host: string;
  readonly outputDir: string;
}

/** Data that a running job reports; each part is merged into what is stored. */
export interface JobReport {
  readonly config?: JsonObject;
  /** Dots in keys lead into objects. */
  readonly info?: JsonObject;
  readonly images?: Readonly<Record<string, string>>;
  readonly timings?: readonly JobTiming[];
  readonly metrics?: readonly JobMetric[];
  readonly environment?: JsonObject;
  readonly ref?: string;
}

export interface JobEnd {
  /** CREATED: returns the job to the queue; counts as an attempt, and not against its retries. */
  readonly status: 'FINISHED' | 'FAILED' | 'CANCELED' | 'CREATED';
  readonly exit?: Exit;
  readonly reason?: string;
  readonly exception?: string;
  readonly traceback?: string;
}

export interface LostRequest {
  /** Only jobs of these: only a worker with access to a cluster can check whether a job still runs there. */
  readonly executors: readonly string[];
  /** A worker without heartbeats for so long is lost. */
  readonly afterMs: number;
  /** How often a job may lose its worker before it fails. */
  readonly limit: number;
  /** Process table of this machine: true or false overrules the heartbeat, undefined does not. */
  readonly isAlive: (worker: Worker, jobId: string) => boolean | undefined;
}

export interface LostJob {
  readonly id: string;
  readonly attempt: number;
  readonly rank: number;
  readonly becomes: 'CREATED' | 'FAILED';
}

export interface CancelledJob {
  readonly id: string;
  readonly was: JobStatus;
  readonly isCancelled: boolean;
}

export interface ResumedJob {
  readonly id: string;
  readonly was: JobStatus;
  readonly isResumed: boolean;
  /** A worker has not released the last attempt yet. */
  readonly isHeld: boolean;
}

export interface LogQuery {
  readonly worker?: number;
  readonly type?: JobLogEntry['type'];
  /** `next` of an earlier page: only later entries. */
  readonly after?: string;
  /** Only the last n. */
  readonly tail?: number;
  readonly limit: number;
}

export interface LogPage {
  readonly entries: readonly JobLogEntry[];
  readonly next: string;
  /** Entries that were dropped because the job printed too much; they are in its files. */
  readonly leftOut: number;
}
