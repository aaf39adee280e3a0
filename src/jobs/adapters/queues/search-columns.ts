import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { JobSpec } from '../../core/job.ts';
import type { JobFacts } from '../../core/job-facts.ts';
import { isField, metricSummary } from '../../core/search/job-fields.ts';
import type { Dialect, Row, Session } from './sql-database.ts';

/**
 * What a search may ask of a job's documents stands once more in columns of `jobs`, in the form of JSON in which the database
 * finds single values: a document has tracebacks, patches and timings, and to read those of all jobs takes seconds.
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
 * Keys of a configuration that may hide a field of the job, or a way through objects, each with a new line before and after it.
 * Most have none, and then nothing has to be looked for.
 */
export function oddKeys(config: JsonObject): string {
  const odd = Object.keys(config).filter((key) => key.includes('.') || isField(key));
  return odd.length === 0 ? '' : `\n${odd.join('\n')}\n`;
}

const SEARCHED = ['searched_spec', 'searched_config', 'searched_facts'] as const;

type Searched = Readonly<Partial<Record<(typeof SEARCHED)[number], string>>>;

/** Of the job whose row was written last. */
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
 * The tables that a search goes through. What only the jobs that are found give out (`further`) is fetched for those alone: to
 * find its place for every job took a quarter of a search.
 */
export function searchedTables(further: string, where: string, { lastNumber }: Dialect): SearchedTables {
  if (lastNumber === undefined) return { tables: 'jobs j', further };
  const columns = ['searched_config', 'searched_facts', 'searched_spec'];
  const needed = columns.filter((column) => where.includes(column));
  // In this order, and not in one that the database would take for better.
  const tables = ['jobs j', ...needed.map((column) => `job_${column} ON job_${column}.n = j.n`)];
  const fetched = columns
    .filter((column) => !needed.includes(column))
    // No key has a parenthesis: what follows one is ours.
    .reduce(
      (sql, it) => sql.replaceAll(`(${it}`, `((SELECT ${it} FROM job_${it} one WHERE one.n = j.n)`),
      further,
    );
  return { tables: tables.join(' CROSS JOIN '), further: fetched };
}

const AT_ONCE = 500;

/** Writes the columns of jobs that were submitted before there were such. */
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
