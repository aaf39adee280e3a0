import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JobSpec, JobStatus } from '../../core/job.ts';
import { NO_FACTS } from '../../core/job-facts.ts';
import { findNul, storable } from '../../core/storable-text.ts';
import { cancelDependents } from './dependents.ts';
import { isId } from './job-rows.ts';
import { oddKeys, saveFirstSearched, searchFacts, searchSpec } from './search-columns.ts';
import type { Database, Row, Session } from './sql-database.ts';

/** All or none, and idempotent: a submission may be repeated when its answer was lost. */
export async function submitJobs(
  database: Database,
  submitted: readonly JobSpec[],
  now: number,
): Promise<void> {
  for (const spec of submitted) checkSpec(spec);
  const specs = sortedByDependency(submitted.map(storable));
  await database.atomically(async (session) => {
    const known = await statesOf(session, database, [
      ...new Set(specs.flatMap(({ id, after }) => [id, ...after])),
    ]);
    for (const spec of specs) {
      if (known.has(spec.id)) await checkSame(session, spec);
      else known.set(spec.id, await insertJob(session, spec, known));
    }
    for (const spec of specs) {
      const dead = spec.after.find((id) => isDead(known.get(id)));
      if (dead !== undefined && known.get(spec.id) === 'CREATED') {
        known.set(spec.id, 'CANCELED');
        await cancelDependents(session, { id: dead, state: known.get(dead) ?? 'gone', only: spec.id, now });
      }
    }
  });
}

async function insertJob(
  session: Session,
  spec: JobSpec,
  known: ReadonlyMap<string, JobStatus>,
): Promise<JobStatus> {
  const dependencies = [...new Set(spec.after)].filter((id) => known.get(id) !== 'FINISHED');
  const config = JSON.stringify(spec.overrides);
  const searched = {
    ...{ searched_spec: searchSpec(spec), searched_config: config, searched_facts: FIRST_SEARCHED },
  };
  const values = [
    ...[spec.id, Math.floor(spec.createdAt), spec.user, spec.project, spec.experiment, spec.name],
    ...[spec.sweep ?? '', spec.executor, spec.code?.type === 'package' ? spec.code.hash : ''],
    ...[spec.workers, spec.priority, dependencies.length, dependencies.length === 0 ? 1 : 0],
    oddKeys(spec.overrides),
  ];
  const { json, lastNumber } = session.dialect;
  if (lastNumber !== undefined) {
    await session.rows(INSERT_JOB, values);
    await saveFirstSearched(session, searched);
  } else {
    // One statement is enough where they are columns.
    const columns = Object.keys(searched);
    const further = columns.map((_, at) => json.stored(`$${values.length + 1 + at}`));
    await session.rows(insertJobSql(columns, further), [...values, ...Object.values(searched)]);
  }
  await session.rows('INSERT INTO job_documents (id, spec, config, facts) VALUES ($1, $2, $3, $4)', [
    ...[spec.id, JSON.stringify(spec), config, FIRST_FACTS],
  ]);
  for (const id of dependencies) {
    await session.rows('INSERT INTO job_after (job_id, after_id) VALUES ($1, $2)', [spec.id, id]);
  }
  return 'CREATED';
}

const FIRST_FACTS = JSON.stringify(NO_FACTS);
const FIRST_SEARCHED = searchFacts(NO_FACTS);
const INSERT_JOB = insertJobSql([], []);

function insertJobSql(columns: readonly string[], values: readonly string[]): string {
  return `INSERT INTO jobs (id, created_at, user_name, project, experiment, name, description, sweep, executor, package, workers,
      priority, status, attempt, lost, registered, blockers, open, not_before, ${['odd_keys', ...columns].join(', ')})
    VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8, $9, $10, $11, 'CREATED', 1, 0, 0, $12, $13, 0, ${['$14', ...values].join(', ')})`;
}

/** Locked, so that no dependency ends before the transaction does. */
async function statesOf(
  session: Session,
  { dialect }: Database,
  ids: readonly string[],
): Promise<Map<string, JobStatus>> {
  const rows = await session.rows<Row & { id: string; status: JobStatus }>(
    `SELECT id, status FROM jobs WHERE ${dialect.isOneOf('id', '$1')} ORDER BY id${dialect.forUpdate}`,
    [JSON.stringify(ids.filter(isId))],
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}

function isDead(status: JobStatus | undefined): boolean {
  return status === undefined || status === 'FAILED' || status === 'CANCELED';
}

async function checkSame(session: Session, spec: JobSpec): Promise<void> {
  const [row] = await session.rows('SELECT spec FROM job_documents WHERE id = $1', [spec.id]);
  if (row?.['spec'] === JSON.stringify(spec)) return;
  throw new NightmarkError('JOBS_ID_TWICE', `There is another job with the id ${spec.id} already.`, {
    hint: 'Submit it again: it gets a new id.',
  });
}

function checkSpec(spec: JobSpec): void {
  if (!isId(spec.id)) {
    throw new NightmarkError('JOBS_BAD_ID', `"${spec.id}" cannot be the id of a job.`, {
      hint: 'An id has 24 digits out of 0-9 and a-f.',
    });
  }
  const nul = findNul(spec);
  if (nul !== undefined) {
    throw new NightmarkError('JOBS_NUL', `The job "${spec.name}" has a NUL character in ${nul}.`, {
      hint: 'No program and no database takes it: leave it out.',
    });
  }
}

/** Topological order: dependencies first. Throws for a cycle. */
function sortedByDependency(specs: readonly JobSpec[]): readonly JobSpec[] {
  const waiting = new Map(specs.map((spec) => [spec.id, spec]));
  const ordered: JobSpec[] = [];
  for (;;) {
    const ready = [...waiting.values()].filter(({ after }) => !after.some((id) => waiting.has(id)));
    if (ready.length === 0) break;
    for (const spec of ready) waiting.delete(spec.id);
    ordered.push(...ready);
  }
  const [caught] = waiting.values();
  if (caught === undefined) return ordered;
  throw new NightmarkError('JOBS_CIRCLE', `The job "${caught.name}" (${caught.id}) waits for itself.`, {
    hint: 'Check "after" of the jobs that are submitted together: they wait for each other in a circle.',
  });
}
