import { setPath } from '../../core/jobs/set-path.ts';
import { storable } from '../../core/jobs/storable-text.ts';
import type { Job } from '../../core/model/job.ts';
import type { CancelledJob } from '../../core/ports/job-queue.ts';
import type { JsonValue } from '../../core/text/json.ts';
import { finish } from './attempts.ts';
import { settleDependents } from './dependents.ts';
import { factsOf, lockJob, readJobs, saveFacts } from './job-rows.ts';
import type { Database } from './session.ts';

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
        await settleDependents(session, { id, state: 'gone', now });
        for (const [table, column] of TABLES_OF_A_JOB) {
          await session.rows(`DELETE FROM ${table} WHERE ${column} = $1`, [id]);
        }
        return jobs;
      })),
    );
  }
  return deleted;
}
