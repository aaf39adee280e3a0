import type { Job } from '../../core/job.ts';
import type { JobQuery } from '../../core/job-queue.ts';
import { isId, readJobs } from './job-rows.ts';
import { prefilter } from './prefilter.ts';
import { searchedTables } from './search-columns.ts';
import { type Filter, filterOf, type Page } from './search-filter.ts';
import type { Database, Row, Value } from './sql-database.ts';

/** A RUNNING job without heartbeats for longer is UNRESPONSIVE. */
const UNRESPONSIVE_MS = 20_000;
const PAGE = 5_000;
const FIRST_PAGE = 200;
const JOBS_AT_ONCE = 200;

interface JobFilter {
  readonly database: Database;
  readonly query: Omit<JobQuery, 'limit'>;
  readonly now: number;
}

/** Newest first. Ids are found first, in narrow rows; documents are read only for the result. */
export async function listJobs(asked: JobFilter, limit: number): Promise<readonly Job[]> {
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

export async function countJobs(asked: JobFilter): Promise<number> {
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

async function* findIds(asked: JobFilter, limit: number): AsyncIterable<readonly string[]> {
  const { database, query } = asked;
  let place = query.before === undefined ? undefined : await placeOf(database, query.before);
  if (query.before !== undefined && place === undefined) return;
  const filter = filterOf(query.search, database.dialect);
  for (let size = firstSize(query, limit); ; size = Math.min(PAGE, size * 4)) {
    const { page, oldest } = await readPage(asked, filter, { place, size });
    const width = 1 + filter.count;
    const found: string[] = [];
    for (let at = 0; at < page.length; at += width) {
      if (filter.isFound(page, at + 1)) found.push(page[at] as string);
    }
    yield found;
    if (page.length < size * width) return;
    place = [oldest, page[page.length - width] as string];
  }
}

/** Most rows that pass the SQL conditions match, so the first page is seldom too small. */
function firstSize({ search }: JobFilter['query'], limit: number): number {
  return Math.min(PAGE, search === undefined ? limit : Math.max(FIRST_PAGE, limit * 2));
}

type Place = readonly [at: number, id: string];

async function placeOf(database: Database, id: string): Promise<Place | undefined> {
  const [row] = await database.rows('SELECT created_at FROM jobs WHERE id = $1', [id]);
  return row === undefined ? undefined : [Number(row['created_at']), id];
}

interface PagePlace {
  readonly place: Place | undefined;
  readonly size: number;
}

/** Rows of one page as one JSON text: reading rows one by one from the driver takes most of the time of a search. */
async function readPage(
  asked: JobFilter,
  filter: Filter,
  { place, size }: PagePlace,
): Promise<{ readonly page: Page; readonly oldest: number }> {
  const { where, values } = conditions(asked);
  if (place !== undefined) values.push(...place);
  const beyond = place ? ` AND (created_at, j.id) < ($${values.length - 1}, $${values.length})` : '';
  const { dialect } = asked.database;
  const { tables, further } = searchedTables(filter.further, where, dialect);
  const [row] = await asked.database.rows(
    `SELECT ${dialect.joined('found')} AS page, min(created_at) AS oldest FROM (
       SELECT '"' || j.id || '"'${further} AS found, created_at
       FROM ${tables} WHERE ${where}${beyond} ORDER BY created_at DESC, j.id DESC LIMIT ${size}) AS page`,
    values,
  );
  return { page: JSON.parse(`[${row?.['page'] ?? ''}]`) as Page, oldest: Number(row?.['oldest'] ?? 0) };
}

function conditions({ database, query, now }: JobFilter): {
  readonly where: string;
  readonly values: Value[];
} {
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
  if (query.status !== undefined) all.push(statusCondition(query.status, () => next(now - UNRESPONSIVE_MS)));
  const condition = query.search && prefilter(query.search, database.dialect, next);
  if (condition !== undefined) all.push(condition);
  return { where: all.join(' AND '), values };
}

function statusCondition(status: NonNullable<JobQuery['status']>, silentSince: () => string): string {
  const running = () => `(heartbeat_at IS NULL OR heartbeat_at >= ${silentSince()})`;
  if (status === 'UNRESPONSIVE') return `status = 'RUNNING' AND heartbeat_at < ${silentSince()}`;
  if (status === 'RUNNING') return `status = 'RUNNING' AND ${running()}`;
  if (status !== 'QUEUE') return `status = '${status}'`;
  return `(status IN ('CREATED', 'SCHEDULED', 'RUNNING') AND (status <> 'RUNNING' OR ${running()}))`;
}
