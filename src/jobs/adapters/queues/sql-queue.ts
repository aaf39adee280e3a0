import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JobQueue } from '../../core/job-queue.ts';
import { arriveAt, beginJob, endJob, heartbeat, requeueLost, saveReport, takeOver } from './attempts.ts';
import { annotateJob, cancelJobs, deleteJobs, resumeJobs } from './change-jobs.ts';
import { claimJob } from './claim-job.ts';
import { countJobs, idsWith, listJobs } from './find-jobs.ts';
import { appendLogs, readLogs } from './job-logs.ts';
import { readJobs } from './job-rows.ts';
import type { Database } from './sql-database.ts';
import { submitJobs } from './submit-jobs.ts';

export interface QueueParts {
  readonly id: string;
  readonly database: Database;
  readonly packages: Packages;
  readonly now: () => number;
}

/** A package is saved before its job is submitted, so new packages are kept. */
const YOUNG_MS = 3_600_000;

/** The queue over any database: the rules are the same for each. */
export function sqlQueue({ id, database, packages, now }: QueueParts): JobQueue {
  return {
    id,
    now,
    submit: (specs) => submitJobs(database, specs, now()),
    job: async (jobId) => (await readJobs(database, [jobId], database))[0],
    idsWith: (part, limit) => idsWith(database, part, limit),
    list: ({ limit, ...query }) => listJobs({ database, query, now: now() }, limit),
    count: (query) => countJobs({ database, query, now: now() }),
    claim: (request) => claimJob(database, request, now()),
    arrive: (claim, barrier) => arriveAt(database, claim, barrier),
    begin: (claim, start) => beginJob(database, claim, { ...start, now: now() }),
    heartbeat: (claims) => heartbeat(database, claims, now()),
    report: (claim, report) => saveReport(database, claim, report),
    appendLogs: (claim, entries) => appendLogs(database, claim, entries),
    end: (claim, end) => endJob(database, claim, { ...end, now: now() }),
    takeOver: (claim, to) => takeOver(database, claim, { to, now: now() }),
    requeueLost: (request) => requeueLost(database, request, now()),
    cancel: (ids, reason) => cancelJobs(database, ids, { reason, now: now() }),
    resume: (ids) => resumeJobs(database, ids, now()),
    annotate: (jobId, key, value) => annotateJob(database, jobId, { key, value }),
    delete: (ids) => deleteJobs(database, ids, now()),
    logs: (jobId, query) => readLogs(database, jobId, query),
    savePackage: (hash, bytes) => packages.savePackage(hash, bytes),
    hasPackage: (hash) => packages.hasPackage(hash),
    package: (hash) => packages.package(hash),
    collectPackages: () => collect(database, packages, now() - YOUNG_MS),
    close: () => database.close(),
  };
}

async function collect(database: Database, packages: Packages, before: number): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const hash of await packages.unsavedSince(before)) {
    const needed = await database.rows('SELECT 1 AS one FROM jobs WHERE package = $1 LIMIT 1', [hash]);
    if (needed.length === 0 && (await packages.remove(hash, before))) gone.push(hash);
  }
  return gone;
}

/** Storage of packages; the queue knows which are needed. */
export interface Packages extends Pick<JobQueue, 'savePackage' | 'hasPackage' | 'package'> {
  /** Hashes of packages that were not saved since. */
  unsavedSince(time: number): Promise<readonly string[]>;
  /** False when it was saved again in the meantime. */
  remove(hash: string, unsavedSince: number): Promise<boolean>;
}

/** A hash is part of file names, so it is checked. */
export function checkHash(hash: string): string {
  if (/^[0-9a-f]{8,128}$/.test(hash)) return hash;
  throw new NightmarkError('JOBS_BAD_HASH', `${JSON.stringify(hash)} cannot be the hash of a package.`, {
    hint: 'A hash has 8 to 128 digits out of 0-9 and a-f.',
  });
}
