import { matches, textMatcher } from '../../core/jobs/search/matches.ts';
import type { JobSearch } from '../../core/jobs/search/search.ts';
import type { Job } from '../../core/model/job.ts';
import type { JobQuery, JobQueue, StatusFilter } from '../../core/ports/job-queue.ts';

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

type TextSearch = Extract<JobSearch, { readonly type: 'text' }>;

const PAGE = 1_000;

/** Newest first, and no more of them are read than are taken; `limit` is how many will be taken at most. */
export async function* selectedJobs(
  selection: JobSelection,
  limit: number,
  queue: Pick<JobQueue, 'list'>,
): AsyncGenerator<Job> {
  const { query, isLeft } = questionOf(selection);
  let before: string | undefined;
  let taken = 0;
  while (taken < limit) {
    // What is sifted here may need many more than are taken.
    const size = isLeft === undefined ? Math.min(PAGE, limit - taken) : PAGE;
    const jobs = await queue.list({ ...query, limit: size, ...(before !== undefined && { before }) });
    for (const job of jobs) {
      if (isLeft?.(job) === false) continue;
      yield job;
      if (++taken >= limit) return;
    }
    before = jobs.at(-1)?.id;
    if (jobs.length < size) return;
  }
}

/** How many there are; undefined where all of them would have to be read for it. */
export async function countSelected(
  selection: JobSelection,
  queue: Pick<JobQueue, 'count'>,
): Promise<number | undefined> {
  const { query, isLeft } = questionOf(selection);
  return query.search === undefined && isLeft === undefined ? queue.count(query) : undefined;
}

interface Question {
  readonly query: Omit<JobQuery, 'limit' | 'before'>;
  /** What the queue cannot be asked. */
  readonly isLeft?: (job: Job) => boolean;
}

function questionOf({ name, searches, ...fields }: JobSelection): Question {
  // The queue looks for a text in more than the name: what it gives is a superset.
  const [search, ...others] = name === undefined ? searches : [...searches, name];
  const isNamed = name === undefined ? undefined : textMatcher(name);
  const query = { ...fields, ...(search && { search }) };
  if (isNamed === undefined && others.length === 0) return { query };
  return {
    query,
    isLeft: (job) => isNamed?.([job.name]) !== false && others.every((other) => matches(other, job)),
  };
}
