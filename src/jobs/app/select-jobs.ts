import type { Job } from '../core/job.ts';
import type { JobQuery, JobQueue, StatusFilter } from '../core/job-queue.ts';
import type { JobSearch, TextSearch } from '../core/job-search.ts';

/** Which jobs somebody means; what is absent does not narrow them down. */
export interface JobSelection {
  readonly ids?: readonly string[];
  readonly user?: string;
  readonly project?: string;
  readonly experiment?: string;
  readonly status?: StatusFilter;
  /** Looked for in the name alone. */
  readonly name?: TextSearch;
  readonly searches: readonly JobSearch[];
}

const PAGE = 1_000;

/** Newest first, and no more of them are read than are taken; `limit` is how many will be taken at most. */
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

/** How many there are; undefined where all of them would have to be looked at for it. */
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
