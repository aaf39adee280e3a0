import type { LostJob, LostRequest } from '../../core/job-queue.ts';
import { finish, waitAgain } from './attempts.ts';
import { factsOf, lockJob, type RankRow } from './job-rows.ts';
import type { Database, Row, Session } from './session.ts';

type ActiveRank = RankRow & Row & { readonly attempt: number };

/** Jobs with a rank whose worker is gone. Each in a transaction of its own: one that fails holds up no other. */
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
  // It may have given a sign, ended or been taken over since we looked.
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
  await waitAgain(session, job, { notBefore: 0, lost, facts });
  return { id, attempt, rank: rank.rank, becomes: 'CREATED' };
}
