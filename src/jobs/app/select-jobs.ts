import type { Job } from '../core/job.ts';
import type { JobQuery, JobQueue, StatusFilter } from '../core/job-queue.ts';
import type { JobSearch, TextSearch } from '../core/job-search.ts';

/** A filter for jobs; absent fields do not restrict it. */
export interface JobSelection {
  readonly ids?: readonly string[];
  readonly user?: string;
  readonly project?: string;
  readonly experiment?: string;
  readonly status?: StatusFilter;
  /** Searched in the name alone. */
  readonly name?: TextSearch;
  readonly searches: readonly JobSearch[];
}

const PAGE = 1_000;

/** Newest first, at most `limit`, read page by page as they are consumed. */
export async function* selectedJobs(
  selection: JobSelection,
  limit: number,
  queue: Pick<JobQueue, 'list'>,
): AsyncGenerator<Job> {
  const query = queryOf(selection);
  let before: string | undefined;
  for (let taken = 0; taken < limit; ) {
    const size = Math.min(PAGE, limit - taken);
    const jobs = await queue.list({ ...query, limit: size, ...(before !== undefined && { before }) });
    yield* jobs;
    taken += jobs.length;
    before = jobs.at(-1)?.id;
    if (jobs.length < size) return;
  }
}

/** Number of matches; undefined where counting would have to read all jobs. */
export async function countSelected(
  selection: JobSelection,
  queue: Pick<JobQueue, 'count'>,
): Promise<number | undefined> {
  const query = queryOf(selection);
  return query.search === undefined ? queue.count(query) : undefined;
}

function queryOf({ name, searches, ...fields }: JobSelection): Omit<JobQuery, 'limit' | 'before'> {
  const all: readonly JobSearch[] = name === undefined ? searches : [{ ...name, isName: true }, ...searches];
  const [only] = all;
  if (only === undefined) return fields;
  return { ...fields, search: all.length === 1 ? only : { type: 'all', searches: all } };
}
