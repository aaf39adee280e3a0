import type { JobList, ListedJob } from '../../core/job-documents.ts';

/** The newest jobs as they are now, before those that were listed already and are older. */
export function mergeNewest(before: JobList, fresh: JobList): JobList {
  const last = fresh.jobs.at(-1);
  const place = last === undefined ? -1 : before.jobs.findIndex(({ id }) => id === last.id);
  // All there are fit in what was asked, or so many came in that the two do not meet.
  if (fresh.nextBefore === undefined || place < 0) return fresh;
  const older = before.jobs.slice(place + 1);
  if (older.length === 0) return fresh;
  const { nextBefore } = before;
  return { jobs: [...fresh.jobs, ...older], ...(nextBefore !== undefined && { nextBefore }) };
}

export function appendPage(before: JobList, page: JobList): JobList {
  const known = new Set(before.jobs.map(({ id }) => id));
  return { ...page, jobs: [...before.jobs, ...page.jobs.filter(({ id }) => !known.has(id))] };
}

/** Some jobs as they are now; those that are gone are taken away. */
export function replaceJobs(before: JobList, asked: readonly string[], found: readonly ListedJob[]): JobList {
  const now = new Map(found.map((job) => [job.id, job]));
  const gone = new Set(asked.filter((id) => !now.has(id)));
  const jobs = before.jobs.filter(({ id }) => !gone.has(id)).map((job) => now.get(job.id) ?? job);
  return { ...before, jobs };
}
