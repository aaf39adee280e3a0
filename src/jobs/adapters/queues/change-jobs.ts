import type { JsonValue } from '../../../platform/core/text/json.ts';
import { setPath } from '../../core/dotted-keys.ts';
import type { Job } from '../../core/job.ts';
import { withoutEnd } from '../../core/job-facts.ts';
import type { CancelledJob, ResumedJob } from '../../core/job-queue.ts';
import { storable } from '../../core/storable-text.ts';
import { finish, requeue } from './attempts.ts';
import { releaseDependents } from './dependents.ts';
import { factsOf, lockJob, readJobs, saveFacts } from './job-rows.ts';
import type { Database } from './sql-database.ts';

export async function cancelJobs(
  database: Database,
  ids: readonly string[],
  { reason, now }: { readonly reason: string; readonly now: number },
): Promise<readonly CancelledJob[]> {
  const cancelled: CancelledJob[] = [];
  for (const id of new Set(ids)) {
    const one = await database.atomically(async (session): Promise<CancelledJob | undefined> => {
      const job = await lockJob(session, id, database);
      if (job === undefined) return undefined;
      const isCancelled = ['CREATED', 'SCHEDULED', 'RUNNING'].includes(job.status);
      const facts = { ...factsOf(job), endedAt: now, reason };
      if (isCancelled) await finish(session, id, { status: 'CANCELED', facts, now });
      return { id, was: job.status, isCancelled };
    });
    if (one !== undefined) cancelled.push(one);
  }
  return cancelled;
}

/** A worker without heartbeats for so long no longer holds a rank. */
const HELD_MS = 60_000;

export async function resumeJobs(
  database: Database,
  ids: readonly string[],
  now: number,
): Promise<readonly ResumedJob[]> {
  const resumed: ResumedJob[] = [];
  for (const id of new Set(ids)) {
    const one = await database.atomically(async (session): Promise<ResumedJob | undefined> => {
      const job = await lockJob(session, id, database);
      if (job === undefined) return undefined;
      const held = await session.rows(
        'SELECT 1 AS held FROM job_ranks WHERE job_id = $1 AND done = 0 AND heartbeat_at > $2 LIMIT 1',
        [id, now - HELD_MS],
      );
      const isHeld = held.length > 0;
      const isResumed = !isHeld && ['FAILED', 'CANCELED'].includes(job.status);
      if (isResumed) {
        // Resuming overrides the dependencies.
        await session.rows('UPDATE jobs SET blockers = 0 WHERE id = $1', [id]);
        const facts = {
          ...withoutEnd(factsOf(job)),
          reason: `Resumed after it was ${job.status.toLowerCase()}.`,
        };
        await requeue(session, job, { notBefore: 0, lost: job.lost, facts });
      }
      return { id, was: job.status, isResumed, isHeld };
    });
    if (one !== undefined) resumed.push(one);
  }
  return resumed;
}

export async function annotateJob(
  database: Database,
  id: string,
  { key, value }: { readonly key: string; readonly value: JsonValue | undefined },
): Promise<Job | undefined> {
  return database.atomically(async (session) => {
    const job = await lockJob(session, id, database);
    if (job === undefined) return undefined;
    const facts = factsOf(job);
    const annotations = storable(setPath(facts.annotations, key.split('.'), value));
    await saveFacts(session, id, { ...facts, annotations });
    const description = Object.hasOwn(annotations, 'description') ? annotations['description'] : '';
    await session.rows('UPDATE jobs SET description = $2 WHERE id = $1', [
      id,
      typeof description === 'string' ? description : '',
    ]);
    const [changed] = await readJobs(session, [id], database);
    return changed;
  });
}

const TABLES_OF_A_JOB = [
  ...['job_ranks', 'job_arrivals', 'job_logs', 'job_log_sizes', 'job_after'].map((table) => [
    table,
    'job_id',
  ]),
  ...['job_documents', 'jobs'].map((table) => [table, 'id']),
];

export async function deleteJobs(
  database: Database,
  ids: readonly string[],
  now: number,
): Promise<readonly Job[]> {
  const deleted: Job[] = [];
  for (const id of new Set(ids)) {
    deleted.push(
      ...(await database.atomically(async (session) => {
        if ((await lockJob(session, id, database)) === undefined) return [];
        const jobs = await readJobs(session, [id], database);
        await releaseDependents(session, { id, state: 'gone', now });
        for (const [table, column] of TABLES_OF_A_JOB) {
          await session.rows(`DELETE FROM ${table} WHERE ${column} = $1`, [id]);
        }
        return jobs;
      })),
    );
  }
  return deleted;
}
