import type { Job } from '../../core/model/job.ts';
import type { JobQuery } from '../../core/ports/job-queue.ts';
import { isId, readJobs } from './job-rows.ts';
import { prefilter } from './prefilter.ts';
import { type Filter, type Found, filterOf } from './search-filter.ts';
import type { Database, Row, Value } from './session.ts';

/** A RUNNING job that was silent for longer is UNRESPONSIVE. */
const SILENT_MS = 20_000;
const PAGE = 5_000;
const JOBS_AT_ONCE = 200;

interface Asked {
  readonly database: Database;
  readonly query: Omit<JobQuery, 'limit'>;
  readonly now: number;
}

/** Newest first. Ids are found first, in narrow rows; documents are read for those that are given only. */
export async function listJobs(asked: Asked, limit: number): Promise<readonly Job[]> {
  const ids: string[] = [];
  if (limit > 0) {
    for await (const page of findIds(asked, limit)) {
      ids.push(...page);
      if (ids.length >= limit) break;
    }
  }
  const jobs: Job[] = [];
  for (let at = 0; at < Math.min(ids.length, limit); at += JOBS_AT_ONCE) {
    const some = ids.slice(at, Math.min(at + JOBS_AT_ONCE, limit));
    jobs.push(...(await readJobs(asked.database, some, asked.database)));
  }
  return jobs;
}

export async function countJobs(asked: Asked): Promise<number> {
  if (asked.query.search === undefined) {
    const { where, values } = conditions(asked);
    const [row] = await asked.database.rows(`SELECT count(*) AS count FROM jobs j WHERE ${where}`, values);
    return Number(row?.['count'] ?? 0);
  }
  let count = 0;
  for await (const page of findIds(asked, Number.MAX_SAFE_INTEGER)) count += page.length;
  return count;
}

export async function idsWith(database: Database, part: string, limit: number): Promise<readonly string[]> {
  const rows = await database.rows<Row & { id: string }>(
    `SELECT id FROM jobs WHERE ${database.dialect.place('id', '$1')} > 0 ORDER BY created_at DESC, id DESC LIMIT $2`,
    [part, Math.max(0, Math.floor(Math.min(limit, 2 ** 31)))],
  );
  return rows.map(({ id }) => id);
}

async function* findIds(asked: Asked, limit: number): AsyncIterable<readonly string[]> {
  const { database, query } = asked;
  let place: readonly [at: number, id: string] | undefined;
  if (query.before !== undefined) {
    const [row] = await database.rows('SELECT created_at FROM jobs WHERE id = $1', [query.before]);
    if (row === undefined) return;
    place = [Number(row['created_at']), query.before];
  }
  const filter = filterOf(query.search, database.dialect);
  const size = query.search === undefined ? Math.min(limit, PAGE) : PAGE;
  for (;;) {
    const page = await readPage(asked, filter, { place, size });
    yield page.filter(filter.isFound).map(([id]) => id);
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    place = [last[1], last[0]];
  }
}

interface PagePlace {
  readonly place: readonly [at: number, id: string] | undefined;
  readonly size: number;
}

/** Rows of one page as one JSON text: to take them one by one from the driver is most of the time of a search. */
async function readPage(asked: Asked, filter: Filter, { place, size }: PagePlace): Promise<readonly Found[]> {
  const { where, values } = conditions(asked);
  if (place !== undefined) values.push(...place);
  const beyond = place ? ` AND (created_at, j.id) < ($${values.length - 1}, $${values.length})` : '';
  const { dialect } = asked.database;
  const [row] = await asked.database.rows(
    `SELECT ${dialect.joined('found')} AS page FROM (
       SELECT '["' || j.id || '",' || created_at${filter.further} || ']' AS found
       FROM ${filter.isWhole ? 'jobs j JOIN job_documents d ON d.id = j.id' : 'jobs j'} WHERE ${where}${beyond}
       ORDER BY created_at DESC, j.id DESC LIMIT ${size}) AS page`,
    values,
  );
  return JSON.parse(`[${row?.['page'] ?? ''}]`) as Found[];
}

function conditions({ database, query, now }: Asked): { readonly where: string; readonly values: Value[] } {
  const values: Value[] = [];
  const next = (value: Value) => `$${values.push(value)}`;
  const all: string[] = ['1 = 1'];
  for (const [column, value] of [
    ['user_name', query.user],
    ['project', query.project],
    ['experiment', query.experiment],
    ['name', query.name],
    ['sweep', query.sweep],
  ] as const) {
    if (value !== undefined) all.push(`${column} = ${next(value)}`);
  }
  if (query.ids !== undefined)
    all.push(database.dialect.isOneOf('j.id', next(JSON.stringify(query.ids.filter(isId)))));
  if (query.status !== undefined) all.push(statusCondition(query.status, () => next(now - SILENT_MS)));
  const sure = query.search && prefilter(query.search, database.dialect, next);
  if (sure !== undefined) all.push(sure);
  return { where: all.join(' AND '), values };
}

function statusCondition(status: NonNullable<JobQuery['status']>, silentSince: () => string): string {
  const running = () => `(heartbeat_at IS NULL OR heartbeat_at >= ${silentSince()})`;
  if (status === 'UNRESPONSIVE') return `status = 'RUNNING' AND heartbeat_at < ${silentSince()}`;
  if (status === 'RUNNING') return `status = 'RUNNING' AND ${running()}`;
  if (status !== 'QUEUE') return `status = '${status}'`;
  return `(status IN ('CREATED', 'SCHEDULED', 'RUNNING') AND (status <> 'RUNNING' OR ${running()}))`;
}
