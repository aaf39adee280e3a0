import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { Job, JobRank, JobSpec, JobStatus } from '../../core/job.ts';
import { type JobFacts, NO_FACTS } from '../../core/job-facts.ts';
import { storable } from '../../core/storable-text.ts';
import { oddKeys, saveSearched, searchFacts } from './search-columns.ts';
import type { Database, Row, Session } from './sql-database.ts';

/** A row of the table, and its documents. */
export interface JobRow extends Row {
  readonly id: string;
  readonly status: JobStatus;
  readonly attempt: number;
  readonly lost: number;
  readonly registered: number;
  readonly workers: number;
  readonly blockers: number;
  readonly not_before: number;
  readonly heartbeat_at: number | null;
  readonly config: string;
  readonly spec: string;
  readonly facts: string;
}

export interface RankRow extends Row {
  readonly job_id: string;
  readonly rank: number;
  readonly host: string;
  readonly pid: number;
  readonly incarnation: string;
  readonly heartbeat_at: number;
  readonly ref: string | null;
  readonly done: number;
}

const JOB_COLUMNS =
  'j.id, status, attempt, lost, registered, workers, blockers, not_before, heartbeat_at, config, spec, facts';
const JOB_TABLES = 'jobs j JOIN job_documents d ON d.id = j.id';
const RANK_COLUMNS = 'job_id, rank, host, pid, incarnation, heartbeat_at, ref, done';

/** The job, locked against other changes until the transaction ends. */
export async function lockJob(
  session: Session,
  id: string,
  { dialect }: Pick<Database, 'dialect'>,
): Promise<JobRow | undefined> {
  const rows = await session.rows<JobRow>(
    `SELECT ${JOB_COLUMNS} FROM ${JOB_TABLES} WHERE j.id = $1${dialect.forUpdate}`,
    [id],
  );
  return rows[0];
}

/** In the order of the ids; missing jobs are left out. */
export async function readJobs(
  session: Session,
  ids: readonly string[],
  { dialect }: Pick<Database, 'dialect'>,
): Promise<readonly Job[]> {
  const wanted = [JSON.stringify(ids.filter(isId))];
  const rows = await session.rows<JobRow>(
    `SELECT ${JOB_COLUMNS} FROM ${JOB_TABLES} WHERE ${dialect.isOneOf('j.id', '$1')}`,
    wanted,
  );
  const ranks = await session.rows<RankRow>(
    `SELECT ${RANK_COLUMNS} FROM job_ranks WHERE ${dialect.isOneOf('job_id', '$1')} ORDER BY job_id, rank`,
    wanted,
  );
  const ranksById = grouped(ranks);
  const jobs = new Map(rows.map((row) => [row.id, toJob(row, ranksById.get(row.id) ?? [])]));
  return ids.flatMap((id) => jobs.get(id) ?? []);
}

export async function ranksOf(session: Session, id: string): Promise<readonly RankRow[]> {
  return session.rows<RankRow>(`SELECT ${RANK_COLUMNS} FROM job_ranks WHERE job_id = $1 ORDER BY rank`, [id]);
}

export function toJob(row: JobRow, ranks: readonly RankRow[]): Job {
  return {
    ...specOf(row),
    ...NO_FACTS,
    ...factsOf(row),
    status: row.status,
    attempt: row.attempt,
    lost: row.lost,
    registered: row.registered,
    ...(row.not_before > 0 && { notBefore: row.not_before }),
    ...(row.heartbeat_at !== null && { heartbeatAt: row.heartbeat_at }),
    config: JSON.parse(row.config) as JsonObject,
    ranks: ranks.map(toRank),
  };
}

export function specOf({ spec }: Pick<JobRow, 'spec'>): JobSpec {
  return JSON.parse(spec) as JobSpec;
}

export function factsOf({ facts }: Pick<JobRow, 'facts'>): JobFacts {
  return JSON.parse(facts) as JobFacts;
}

export async function saveFacts(session: Session, id: string, facts: JobFacts): Promise<void> {
  const clean = storable(facts);
  await session.rows('UPDATE job_documents SET facts = $2 WHERE id = $1', [id, JSON.stringify(clean)]);
  await saveSearched(session, id, { searched_facts: searchFacts(clean) });
}

export async function saveConfig(session: Session, id: string, config: JsonObject): Promise<void> {
  const text = JSON.stringify(config);
  await session.rows('UPDATE job_documents SET config = $2 WHERE id = $1', [id, text]);
  await session.rows('UPDATE jobs SET odd_keys = $2 WHERE id = $1', [id, oddKeys(config)]);
  await saveSearched(session, id, { searched_config: text });
}

/** Anything else cannot be the id of a job. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}

function toRank({ rank, host, pid, incarnation, heartbeat_at, ref, done }: RankRow): JobRank {
  return {
    ...{ rank, host, pid, incarnation, heartbeatAt: heartbeat_at },
    ...(ref !== null && { ref }),
    ...(done !== 0 && { isDone: true }),
  };
}

function grouped(ranks: readonly RankRow[]): ReadonlyMap<string, readonly RankRow[]> {
  const groups = new Map<string, RankRow[]>();
  for (const rank of ranks) groups.set(rank.job_id, [...(groups.get(rank.job_id) ?? []), rank]);
  return groups;
}
