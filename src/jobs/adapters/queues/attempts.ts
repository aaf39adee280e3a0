import type { Worker } from '../../../platform/core/lock.ts';
import type { JobStatus } from '../../core/job.ts';
import { type JobFacts, mergeReport, withoutEnd } from '../../core/job-facts.ts';
import type { ClaimKey, JobEnd, JobReport, JobStart, LostJob, LostRequest } from '../../core/job-queue.ts';
import { storable } from '../../core/storable-text.ts';
import { releaseDependents } from './dependents.ts';
import { factsOf, type JobRow, lockJob, type RankRow, saveConfig, saveFacts, specOf } from './job-rows.ts';
import type { Database, Row, Session, Value } from './sql-database.ts';

/** This worker holds the rank of the attempt, and the job is not over for it. */
const IS_HELD = `EXISTS (SELECT 1 FROM jobs j JOIN job_ranks r ON r.job_id = j.id WHERE j.id = $1 AND j.attempt = $2
  AND j.status IN ('SCHEDULED', 'RUNNING', 'FINISHED') AND r.rank = $3 AND r.host = $4 AND r.pid = $5 AND r.incarnation = $6
  AND r.done = 0)`;

/** Marks a rank of a cancelled attempt as released by its worker. */
const MARK_RELEASED = `UPDATE job_ranks SET done = 1 WHERE job_id = $1 AND rank = $3 AND host = $4 AND pid = $5 AND incarnation = $6
  AND EXISTS (SELECT 1 FROM jobs WHERE id = $1 AND attempt = $2 AND status = 'CANCELED')`;

function keyValues({ jobId, attempt, rank, worker }: ClaimKey): readonly Value[] {
  return [jobId, attempt, rank, worker.host, worker.pid, worker.incarnation];
}

/** The job behind a claim, locked; undefined when the claim is void. */
export async function lockHeld(
  session: Session,
  claim: ClaimKey,
  database: Database,
): Promise<JobRow | undefined> {
  const job = await lockJob(session, claim.jobId, database);
  if (job === undefined || job.attempt !== claim.attempt) return undefined;
  const held = await session.rows(`SELECT 1 AS held WHERE ${IS_HELD}`, keyValues(claim));
  return held.length === 1 ? job : undefined;
}

export async function arriveAt(
  database: Database,
  claim: ClaimKey,
  barrier: string,
): Promise<number | undefined> {
  return database.atomically(async (session) => {
    if ((await lockHeld(session, claim, database)) === undefined) return undefined;
    const name = storable(barrier);
    await session.rows(
      'INSERT INTO job_arrivals (job_id, barrier, rank) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [claim.jobId, name, claim.rank],
    );
    const [row] = await session.rows<Row & { count: number | string }>(
      'SELECT count(*) AS count FROM job_arrivals WHERE job_id = $1 AND barrier = $2',
      [claim.jobId, name],
    );
    return Number(row?.count ?? 0);
  });
}

export async function beginJob(
  database: Database,
  claim: ClaimKey,
  { host, outputDir, now }: JobStart & { readonly now: number },
): Promise<boolean> {
  return database.atomically(async (session) => {
    const job = await lockHeld(session, claim, database);
    if (job === undefined || claim.rank !== 0 || job.status === 'FINISHED') return false;
    if (job.status === 'RUNNING') return true;
    await session.rows(`UPDATE jobs SET status = 'RUNNING', open = 0, heartbeat_at = $2 WHERE id = $1`, [
      job.id,
      now,
    ]);
    await saveFacts(session, job.id, { ...withoutEnd(factsOf(job)), startedAt: now, host, outputDir });
    return true;
  });
}

/** One short transaction for all claims of a worker. */
export async function heartbeat(
  database: Database,
  claims: readonly ClaimKey[],
  now: number,
): Promise<readonly boolean[]> {
  if (claims.length === 0) return [];
  // In one order for all workers, to avoid deadlocks.
  const order = claims
    .map((_, at) => at)
    .sort((a, b) => ((claims[a]?.jobId ?? '') < (claims[b]?.jobId ?? '') ? -1 : 1));
  return database.atomically(async (session) => {
    const alive = claims.map(() => false);
    for (const at of order) {
      const claim = claims[at] as ClaimKey;
      const changed = await session.rows(
        `UPDATE jobs SET heartbeat_at = $7 WHERE id = $1 AND ${IS_HELD} RETURNING id`,
        [...keyValues(claim), now],
      );
      if (changed.length === 0) continue;
      alive[at] = true;
      const { host, pid, incarnation } = claim.worker;
      await session.rows(
        `UPDATE job_ranks SET heartbeat_at = $5 WHERE job_id = $1 AND host = $2 AND pid = $3 AND incarnation = $4`,
        [claim.jobId, host, pid, incarnation, now],
      );
    }
    return alive;
  });
}

export async function saveReport(database: Database, claim: ClaimKey, report: JobReport): Promise<boolean> {
  return database.atomically(async (session) => {
    const job = await lockHeld(session, claim, database);
    if (job === undefined) return false;
    if (report.config !== undefined) {
      await saveConfig(session, job.id, storable(report.config));
    }
    if (report.ref !== undefined) {
      await session.rows('UPDATE job_ranks SET ref = $3 WHERE job_id = $1 AND rank = $2', [
        job.id,
        claim.rank,
        storable(report.ref),
      ]);
    }
    await saveFacts(session, job.id, mergeReport(factsOf(job), report));
    return true;
  });
}

export async function endJob(
  database: Database,
  claim: ClaimKey,
  { now, ...end }: JobEnd & { readonly now: number },
): Promise<boolean> {
  return database.atomically(async (session) => {
    const job = await lockHeld(session, claim, database);
    if (job === undefined) {
      await session.rows(MARK_RELEASED, keyValues(claim));
      return false;
    }
    await session.rows('UPDATE job_ranks SET done = 1 WHERE job_id = $1 AND rank = $2', [job.id, claim.rank]);
    if (job.status === 'FINISHED') return false;
    const { status, ...why } = end;
    const isOtherRank = status === 'FINISHED' && claim.rank !== 0;
    const reported: JobFacts = {
      ...factsOf(job),
      ...(isOtherRank ? {} : why),
      ...(end.exception !== undefined && { exceptionWorker: claim.rank }),
    };
    if (status === 'FINISHED' && (await hasRanksLeft(session, job))) {
      await saveFacts(session, job.id, reported);
      return true;
    }
    const facts = { ...reported, endedAt: now };
    const failures = job.attempt - job.lost;
    if (status === 'FAILED' && failures <= specOf(job).retries) {
      const notBefore = now + backOffMs(failures);
      const reason = `Attempt ${job.attempt} failed${end.reason === undefined ? '' : ` (${end.reason})`}; it is tried again.`;
      await requeue(session, job, { notBefore, lost: job.lost, facts: { ...facts, reason } });
      return true;
    }
    if (status === 'CREATED') await requeue(session, job, { notBefore: 0, lost: job.lost + 1, facts });
    else await finish(session, job.id, { status, facts, now });
    return true;
  });
}

/** Counts ranks that were never claimed, too. */
async function hasRanksLeft(session: Session, { id, workers }: JobRow): Promise<boolean> {
  const [row] = await session.rows<Row & { count: number | string }>(
    'SELECT count(*) AS count FROM job_ranks WHERE job_id = $1 AND done = 1',
    [id],
  );
  return Number(row?.count ?? 0) < workers;
}

/** Ends the job for good; its dependents are updated in the same transaction. */
export async function finish(
  session: Session,
  id: string,
  { status, facts, now }: { readonly status: JobStatus; readonly facts: JobFacts; readonly now: number },
): Promise<void> {
  await session.rows('UPDATE jobs SET status = $2, open = 0, not_before = 0 WHERE id = $1', [id, status]);
  await session.rows('DELETE FROM job_after WHERE job_id = $1', [id]);
  await saveFacts(session, id, facts);
  await releaseDependents(session, { id, state: status, now });
}

/** Queues the next attempt: nobody holds a rank of it, and workers of the last one can no longer write. */
export async function requeue(
  session: Session,
  job: JobRow,
  next: { readonly notBefore: number; readonly lost: number; readonly facts: JobFacts },
): Promise<void> {
  await session.rows(
    `UPDATE jobs SET status = 'CREATED', attempt = attempt + 1, lost = $2, registered = 0, open = 1, not_before = $3,
       heartbeat_at = NULL WHERE id = $1`,
    [job.id, next.lost, next.notBefore],
  );
  await session.rows('DELETE FROM job_ranks WHERE job_id = $1', [job.id]);
  await session.rows('DELETE FROM job_arrivals WHERE job_id = $1', [job.id]);
  await saveFacts(session, job.id, next.facts);
}

export async function takeOver(
  database: Database,
  claim: ClaimKey,
  { to, now }: { readonly to: Worker; readonly now: number },
): Promise<boolean> {
  return database.atomically(async (session) => {
    const job = await lockHeld(session, claim, database);
    if (job === undefined || job.status === 'FINISHED') return false;
    const { host, pid, incarnation } = claim.worker;
    await session.rows(
      `UPDATE job_ranks SET host = $5, pid = $6, incarnation = $7, heartbeat_at = $8
       WHERE job_id = $1 AND host = $2 AND pid = $3 AND incarnation = $4`,
      [job.id, host, pid, incarnation, to.host, to.pid, to.incarnation, now],
    );
    await session.rows('UPDATE jobs SET heartbeat_at = $2 WHERE id = $1', [job.id, now]);
    return true;
  });
}

type ActiveRank = RankRow & Row & { readonly attempt: number };

/** Requeues jobs with a rank whose worker is lost. Each in its own transaction, so that a failure affects no other. */
export async function requeueLost(
  database: Database,
  request: LostRequest,
  now: number,
): Promise<readonly LostJob[]> {
  const ranks = await database.rows<ActiveRank>(
    `SELECT r.job_id, r.rank, r.host, r.pid, r.incarnation, r.heartbeat_at, r.done, j.attempt
     FROM jobs j JOIN job_ranks r ON r.job_id = j.id
     WHERE j.status IN ('SCHEDULED', 'RUNNING') AND r.done = 0 AND ${database.dialect.isOneOf('j.executor', '$1')}
     ORDER BY r.job_id, r.rank`,
    [JSON.stringify(request.executors)],
  );
  const lost: LostJob[] = [];
  for (const rank of ranks) {
    const isAlive = request.isAlive(rank, rank.job_id);
    if (isAlive ?? now - rank.heartbeat_at <= request.afterMs) continue;
    const job = await database.atomically((session) =>
      loseRank(session, rank, { database, limit: request.limit, now, isDead: isAlive === false }),
    );
    if (job !== undefined) lost.push(job);
  }
  return lost;
}

interface Loss {
  readonly database: Database;
  readonly limit: number;
  readonly now: number;
  readonly isDead: boolean;
}

async function loseRank(session: Session, rank: ActiveRank, loss: Loss): Promise<LostJob | undefined> {
  const { job_id: id, attempt, host, pid } = rank;
  const job = await lockJob(session, id, loss.database);
  if (job === undefined || job.attempt !== attempt || !/^(?:SCHEDULED|RUNNING)$/.test(job.status)) return;
  // Since the first query it may have sent a heartbeat, ended or been taken over.
  const [seen] = await session.rows<RankRow>('SELECT * FROM job_ranks WHERE job_id = $1 AND rank = $2', [
    id,
    rank.rank,
  ]);
  if (seen === undefined || seen.done !== 0 || seen.incarnation !== rank.incarnation) return;
  if (seen.pid !== pid || seen.host !== host) return;
  if (!loss.isDead && seen.heartbeat_at !== rank.heartbeat_at) return;
  const lost = job.lost + 1;
  const gone = `The worker of rank ${rank.rank} on ${host} (process ${pid}) is gone`;
  if (lost > loss.limit) {
    const reason = `${gone}, ${lost === 1 ? 'once' : `for the ${lost}. time`}: more is not tried.`;
    const facts = { ...factsOf(job), endedAt: loss.now, reason };
    await session.rows('UPDATE jobs SET lost = $2 WHERE id = $1', [id, lost]);
    await finish(session, id, { status: 'FAILED', facts, now: loss.now });
    return { id, attempt, rank: rank.rank, becomes: 'FAILED' };
  }
  const facts = { ...factsOf(job), reason: `${gone}: it waits again.` };
  await requeue(session, job, { notBefore: 0, lost, facts });
  return { id, attempt, rank: rank.rank, becomes: 'CREATED' };
}

const FIRST_BACK_OFF_MS = 5_000;
const MAX_BACK_OFF_MS = 300_000;

/** Exponential back-off: 5 s, 10 s, 20 s ... at most 5 minutes. */
function backOffMs(failures: number): number {
  return Math.min(MAX_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** Math.max(0, Math.min(failures, 20) - 1));
}
