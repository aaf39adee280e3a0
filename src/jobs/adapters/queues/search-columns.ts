import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { JobSpec } from '../../core/job.ts';
import type { JobFacts } from '../../core/job-facts.ts';
import { isField, metricSummary } from '../../core/search/job-fields.ts';
import type { Dialect, Row, Session } from './sql-database.ts';

/**
 * The searchable part of a job's documents is stored again in columns of `jobs`, as the JSON type from which the database
 * reads single values quickly. Documents contain tracebacks, patches and timings, and reading those of all jobs takes seconds.
 */
export function searchSpec({ createdAt, program, git, sweep }: JobSpec): string {
  return JSON.stringify({
    createdAt,
    sweep,
    ...(program.type === 'script' ? { script: program.path } : { command: program.argv.join(' ') }),
    commit: git?.commit,
    branch: git?.branch,
  });
}

export function searchFacts(facts: JobFacts): string {
  const { startedAt, endedAt, host, reason, exception, state, annotations, environment } = facts;
  const names = [...new Set(facts.metrics.map(({ measurement }) => measurement))];
  const metrics = names.map((name) => [name, metricSummary(facts, name)]);
  return JSON.stringify({
    ...{ startedAt, endedAt, host, reason, exception, state, annotations },
    metrics: Object.fromEntries(metrics),
    environment,
  });
}

/**
 * Keys of a configuration that may shadow a field of the job, or a path through objects, each between line ends. Most
 * configurations have none, and then nothing has to be checked.
 */
export function oddKeys(config: JsonObject): string {
  const odd = Object.keys(config).filter((key) => key.includes('.') || isField(key));
  return odd.length === 0 ? '' : `\n${odd.join('\n')}\n`;
}

const SEARCHED = ['searched_spec', 'searched_config', 'searched_facts'] as const;

type Searched = Readonly<Partial<Record<(typeof SEARCHED)[number], string>>>;

/** For the job whose row was inserted last. */
export async function saveFirstSearched(session: Session, searched: Required<Searched>): Promise<void> {
  const { json, lastNumber } = session.dialect;
  for (const column of SEARCHED) {
    await session.rows(
      `INSERT INTO job_${column} (n, ${column}) VALUES (${lastNumber}, ${json.stored('$1')})`,
      [searched[column]],
    );
  }
}

export async function saveSearched(session: Session, id: string, searched: Searched): Promise<void> {
  const { json, lastNumber } = session.dialect;
  const columns = Object.keys(searched);
  const values = Object.values(searched);
  if (lastNumber === undefined) {
    const changes = columns.map((column, at) => `${column} = ${json.stored(`$${at + 2}`)}`);
    await session.rows(`UPDATE jobs SET ${changes.join(', ')} WHERE id = $1`, [id, ...values]);
    return;
  }
  for (const [at, column] of columns.entries()) {
    await session.rows(
      `INSERT INTO job_${column} (n, ${column}) SELECT n, ${json.stored('$2')} FROM jobs WHERE id = $1
       ON CONFLICT (n) DO UPDATE SET ${column} = excluded.${column}`,
      [id, values[at] ?? '{}'],
    );
  }
}

export interface SearchedTables {
  readonly tables: string;
  readonly further: string;
}

/**
 * The tables of a search. Columns that only the result needs (`further`) are fetched for matching rows alone: joining them
 * for every job took a quarter of the time.
 */
export function searchedTables(further: string, where: string, { lastNumber }: Dialect): SearchedTables {
  if (lastNumber === undefined) return { tables: 'jobs j', further };
  const columns = ['searched_config', 'searched_facts', 'searched_spec'];
  const needed = columns.filter((column) => where.includes(column));
  // CROSS JOIN fixes this order: the planner would choose a worse one.
  const tables = ['jobs j', ...needed.map((column) => `job_${column} ON job_${column}.n = j.n`)];
  const fetched = columns
    .filter((column) => !needed.includes(column))
    // No key contains a parenthesis, so this replaces only our own SQL.
    .reduce(
      (sql, it) => sql.replaceAll(`(${it}`, `((SELECT ${it} FROM job_${it} one WHERE one.n = j.n)`),
      further,
    );
  return { tables: tables.join(' CROSS JOIN '), further: fetched };
}

const AT_ONCE = 500;

/** Fills the columns of jobs that were submitted before they existed. */
export async function fillSearchColumns(session: Session): Promise<void> {
  for (let last = ''; ; ) {
    const rows = await session.rows<Row & Record<'id' | 'config' | 'spec' | 'facts', string>>(
      `SELECT j.id, config, spec, facts FROM jobs j JOIN job_documents d ON d.id = j.id
       WHERE j.id > $1 ORDER BY j.id LIMIT ${AT_ONCE}`,
      [last],
    );
    for (const row of rows) {
      await session.rows('UPDATE jobs SET odd_keys = $2 WHERE id = $1', [
        row.id,
        oddKeys(JSON.parse(row.config) as JsonObject),
      ]);
      await saveSearched(session, row.id, {
        searched_spec: searchSpec(JSON.parse(row.spec) as JobSpec),
        searched_config: row.config,
        searched_facts: searchFacts(JSON.parse(row.facts) as JobFacts),
      });
    }
    if (rows.length < AT_ONCE) return;
    last = rows.at(-1)?.id ?? '';
  }
}
