import { withoutEnd } from '../../core/job-facts.ts';
import type { Claim, ClaimRequest } from '../../core/job-queue.ts';
import { factsOf, isId, type JobRow, lockJob, ranksOf, saveFacts, toJob } from './job-rows.ts';
import type { Database, Row, Session, Value } from './sql-database.ts';

/** Claims the first free rank in the order of the queue. */
export async function claimJob(
  database: Database,
  request: ClaimRequest,
  now: number,
): Promise<Claim | undefined> {
  // A query without a lock first: workers poll an empty queue all the time.
  if ((await candidate(database, database, { request, now })) === undefined) return undefined;
  return database.atomically(async (session) => {
    if (database.dialect.lockClaims !== undefined) await session.rows(database.dialect.lockClaims);
    for (;;) {
      const id = await candidate(session, database, { request, now });
      if (id === undefined) return undefined;
      const job = await lockJob(session, id, database);
      // It may have been cancelled between the query and the lock.
      if (job !== undefined && isFree(job)) return take(session, job, { request, now });
    }
  });
}

interface ClaimQuery {
  readonly request: ClaimRequest;
  readonly now: number;
}

interface Candidate extends Row {
  readonly id: string;
  readonly open: number;
  readonly priority: number;
  readonly created_at: number;
}

/** The first of each executor, so that each query reads the start of the index. */
async function candidate(
  session: Session,
  database: Database,
  query: ClaimQuery,
): Promise<string | undefined> {
  const found: Candidate[] = [];
  for (const executor of new Set(query.request.executors)) {
    const { sql, values } = candidateQuery(database, executor, query);
    found.push(...(await session.rows<Candidate>(sql, values)));
  }
  return found.sort(byTurn)[0]?.id;
}

function candidateQuery({ dialect }: Database, executor: string, { request, now }: ClaimQuery) {
  const values: Value[] = [executor, now];
  const next = (value: Value) => `$${values.push(value)}`;
  const conditions = ['executor = $1', 'open > 0', 'not_before <= $2'];
  if (request.isWhole === true) conditions.push('open = 1');
  if (request.project !== undefined) conditions.push(`project = ${next(request.project)}`);
  if (request.ids !== undefined)
    conditions.push(dialect.isOneOf('id', next(JSON.stringify(request.ids.filter(isId)))));
  if (request.rank !== undefined) {
    const rank = next(request.rank);
    conditions.push(
      `workers > ${rank} AND NOT EXISTS (SELECT 1 FROM job_ranks r WHERE r.job_id = jobs.id AND r.rank = ${rank})`,
    );
  }
  const sql = `SELECT id, open, priority, created_at FROM jobs WHERE ${conditions.join(' AND ')}
    ORDER BY open DESC, priority DESC, created_at, id LIMIT 1`;
  return { sql, values };
}

function byTurn(a: Candidate, b: Candidate): number {
  return b.open - a.open || b.priority - a.priority || a.created_at - b.created_at || (a.id < b.id ? -1 : 1);
}

function isFree({ status, registered, workers, blockers }: JobRow): boolean {
  return blockers === 0 && (status === 'CREATED' || (status === 'SCHEDULED' && registered < workers));
}

async function take(session: Session, job: JobRow, { request, now }: ClaimQuery): Promise<Claim> {
  const { worker } = request;
  const taken = new Set((await ranksOf(session, job.id)).map(({ rank }) => rank));
  const free = Array.from({ length: job.workers }, (_, rank) => rank).filter((rank) => !taken.has(rank));
  const ranks = request.isWhole === true ? free : [request.rank ?? free[0] ?? 0];
  for (const rank of ranks) {
    await session.rows(
      `INSERT INTO job_ranks (job_id, rank, host, pid, incarnation, heartbeat_at, done) VALUES ($1, $2, $3, $4, $5, $6, 0)`,
      [job.id, rank, worker.host, worker.pid, worker.incarnation, now],
    );
  }
  const registered = job.registered + ranks.length;
  await session.rows(
    `UPDATE jobs SET status = 'SCHEDULED', registered = $2, open = $3, heartbeat_at = $4 WHERE id = $1`,
    [job.id, registered, registered < job.workers ? 2 : 0, now],
  );
  const facts = factsOf(job);
  const scheduled = job.registered === 0 ? { ...withoutEnd(facts), scheduledAt: now } : facts;
  if (job.registered === 0) await saveFacts(session, job.id, scheduled);
  const row: JobRow = {
    ...job,
    ...{ status: 'SCHEDULED', registered, heartbeat_at: now, facts: JSON.stringify(scheduled) },
  };
  return {
    jobId: job.id,
    attempt: job.attempt,
    rank: ranks[0] ?? 0,
    worker,
    job: toJob(row, await ranksOf(session, job.id)),
  };
}
