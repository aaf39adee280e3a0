import type { JobFacts } from '../../core/jobs/job-facts.ts';
import { metricSummary } from '../../core/jobs/search/field-values.ts';
import type { JobSpec } from '../../core/model/job.ts';
import type { Row, Session } from './session.ts';

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

const AT_ONCE = 500;

/** Writes the columns of jobs that were submitted before there were such. */
export async function fillSearchColumns(session: Session): Promise<void> {
  const { stored } = session.dialect.json;
  for (let last = ''; ; ) {
    const rows = await session.rows<Row & Record<'id' | 'config' | 'spec' | 'facts', string>>(
      `SELECT j.id, config, spec, facts FROM jobs j JOIN job_documents d ON d.id = j.id
       WHERE j.id > $1 ORDER BY j.id LIMIT ${AT_ONCE}`,
      [last],
    );
    for (const row of rows) {
      await session.rows(
        `UPDATE jobs SET searched_spec = ${stored('$2')}, searched_config = ${stored('$3')},
           searched_facts = ${stored('$4')} WHERE id = $1`,
        [
          ...[row.id, searchSpec(JSON.parse(row.spec) as JobSpec), row.config],
          searchFacts(JSON.parse(row.facts) as JobFacts),
        ],
      );
    }
    if (rows.length < AT_ONCE) return;
    last = rows.at(-1)?.id ?? '';
  }
}
