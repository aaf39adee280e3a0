import { isField } from '../../core/jobs/search/field-values.ts';
import { expressionMatcher, textMatcher } from '../../core/jobs/search/matches.ts';
import type { Expression, JobSearch } from '../../core/jobs/search/search.ts';
import type { Job } from '../../core/model/job.ts';
import type { JobQuery } from '../../core/ports/job-queue.ts';
import type { JsonObject } from '../../core/text/json.ts';
import { isId, readJobs } from './job-rows.ts';
import type { Database, Row, Value } from './session.ts';

/** A RUNNING job that was silent for longer is UNRESPONSIVE. */
const SILENT_MS = 20_000;
const PAGE = 2_000;
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

interface FoundRow extends Row {
  readonly id: string;
  readonly created_at: number;
}

async function* findIds(asked: Asked, limit: number): AsyncIterable<readonly string[]> {
  const { database, query } = asked;
  let place: readonly [at: number, id: string] | undefined;
  if (query.before !== undefined) {
    const [row] = await database.rows<FoundRow>('SELECT id, created_at FROM jobs WHERE id = $1', [
      query.before,
    ]);
    if (row === undefined) return;
    place = [row.created_at, row.id];
  }
  const filter = filterOf(query.search, database);
  const size = query.search === undefined ? Math.min(limit, PAGE) : PAGE;
  for (;;) {
    const { where, values } = conditions(asked);
    if (place !== undefined) values.push(...place);
    const beyond = place ? ` AND (created_at, j.id) < ($${values.length - 1}, $${values.length})` : '';
    const rows: readonly FoundRow[] = await database.rows<FoundRow>(
      `SELECT j.id, created_at${filter.columns} FROM jobs j WHERE ${where}${beyond}
       ORDER BY created_at DESC, j.id DESC LIMIT ${size}`,
      values,
    );
    yield await filter.take(rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    place = [last.created_at, last.id];
  }
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
  return { where: all.join(' AND '), values };
}

function statusCondition(status: NonNullable<JobQuery['status']>, silentSince: () => string): string {
  const running = () => `(heartbeat_at IS NULL OR heartbeat_at >= ${silentSince()})`;
  if (status === 'UNRESPONSIVE') return `status = 'RUNNING' AND heartbeat_at < ${silentSince()}`;
  if (status === 'RUNNING') return `status = 'RUNNING' AND ${running()}`;
  if (status !== 'QUEUE') return `status = '${status}'`;
  return `(status IN ('CREATED', 'SCHEDULED', 'RUNNING') AND (status <> 'RUNNING' OR ${running()}))`;
}

interface Filter {
  /** Further columns that it looks at. */
  readonly columns: string;
  take(rows: readonly FoundRow[]): Promise<readonly string[]> | readonly string[];
}

function filterOf(search: JobSearch | undefined, database: Database): Filter {
  if (search === undefined) return { columns: '', take: (rows) => rows.map(({ id }) => id) };
  if (search.type === 'text') {
    const isFound = textMatcher(search);
    return {
      columns: ', name, experiment, description',
      take: (rows) => rows.filter((row) => isFound(namesOf(row))).map(({ id }) => id),
    };
  }
  const isFound = expressionMatcher(search.expression);
  if (namesIn(search.expression).some(isField)) {
    return { columns: '', take: (rows) => takeWhole(rows, { isFound, database }) };
  }
  return {
    columns: ', config',
    take: (rows) => rows.filter(({ config }) => isFound(onlyConfig(config))).map(({ id }) => id),
  };
}

function namesOf({ name, experiment, description }: Row): readonly string[] {
  return [String(name), String(experiment), String(description)];
}

async function takeWhole(
  rows: readonly FoundRow[],
  { isFound, database }: { isFound: (job: Job) => boolean; database: Database },
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let at = 0; at < rows.length; at += JOBS_AT_ONCE) {
    const ids = rows.slice(at, at + JOBS_AT_ONCE).map(({ id }) => id);
    for (const job of await readJobs(database, ids, database)) if (isFound(job)) found.push(job.id);
  }
  return found;
}

/** Names that are no fields are looked for in the configuration only: the rest of the job need not be read. */
function onlyConfig(config: Row[string] | undefined): Job {
  return { config: JSON.parse(String(config)) as JsonObject } as Job;
}

function namesIn(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'value':
      return [];
    case 'name':
      return [expression.name];
    case 'not':
      return namesIn(expression.of);
    case 'in':
      return [expression.left, ...expression.values].flatMap(namesIn);
    case 'call':
      return [...namesIn(expression.of), ...namesIn(expression.argument)];
    default:
      return [...namesIn(expression.left), ...namesIn(expression.right)];
  }
}
