import type { JobStatus } from '../../core/job.ts';
import { factsOf, type JobRow, saveFacts } from './job-rows.ts';
import type { Row, Session } from './sql-database.ts';

/** A job has ended or was deleted; others may depend on it. */
export interface EndedJob {
  readonly id: string;
  readonly state: JobStatus | 'gone';
  readonly now: number;
  /** Only this dependent. */
  readonly only?: string;
}

/** FINISHED releases dependents without other dependencies; any other end cancels them and their dependents. */
export async function releaseDependents(session: Session, ended: EndedJob): Promise<void> {
  if (ended.state !== 'FINISHED') return cancelDependents(session, ended);
  const rows = await session.rows<Row & { job_id: string }>(
    'DELETE FROM job_after WHERE after_id = $1 RETURNING job_id',
    [ended.id],
  );
  for (const { job_id } of rows) {
    await session.rows(
      `UPDATE jobs SET blockers = blockers - 1, open = CASE WHEN blockers = 1 AND status = 'CREATED' THEN 1 ELSE open END
       WHERE id = $1`,
      [job_id],
    );
  }
}

export async function cancelDependents(session: Session, first: EndedJob): Promise<void> {
  const queue: EndedJob[] = [first];
  for (let ended = queue.pop(); ended !== undefined; ended = queue.pop()) {
    const { id, only, now } = ended;
    const rows = await session.rows<Row & { job_id: string }>(
      `SELECT job_id FROM job_after WHERE after_id = $1${only === undefined ? '' : ' AND job_id = $2'} ORDER BY job_id`,
      only === undefined ? [id] : [id, only],
    );
    for (const { job_id } of rows) {
      const reason = `The job ${id} that it waits for ${END_TEXTS[ended.state] ?? ended.state}.`;
      if (await cancelWaiting(session, job_id, { reason, now })) {
        queue.push({ id: job_id, state: 'CANCELED', now });
      }
    }
  }
}

const END_TEXTS: Readonly<Record<string, string>> = {
  FAILED: 'failed',
  CANCELED: 'was cancelled',
  gone: 'is gone',
};

async function cancelWaiting(
  session: Session,
  id: string,
  { reason, now }: { readonly reason: string; readonly now: number },
): Promise<boolean> {
  const changed = await session.rows(
    `UPDATE jobs SET status = 'CANCELED', open = 0 WHERE id = $1 AND status = 'CREATED' RETURNING id`,
    [id],
  );
  await session.rows('DELETE FROM job_after WHERE job_id = $1', [id]);
  if (changed.length === 0) return false;
  const [row] = await session.rows<JobRow>('SELECT facts FROM job_documents WHERE id = $1', [id]);
  if (row !== undefined) await saveFacts(session, id, { ...factsOf(row), endedAt: now, reason });
  return true;
}
