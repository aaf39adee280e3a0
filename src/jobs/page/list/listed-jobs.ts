import type { JobList, ListedJob } from '../../core/job-documents.ts';

/** A line of the list: the head of a group, or a job. */
export type ListRow =
  | {
      readonly type: 'group';
      readonly key: string;
      readonly experiment: string;
      readonly description: string;
      readonly ids: readonly string[];
      readonly isOpen: boolean;
    }
  | { readonly type: 'job'; readonly key: string; readonly job: ListedJob };

/** Grouped by experiment and description, in the order in which the first of each group is listed. */
export function groupedRows(jobs: readonly ListedJob[], closed: ReadonlySet<string>): readonly ListRow[] {
  const groups = new Map<string, ListedJob[]>();
  for (const job of jobs) {
    const key = groupKey(job);
    const group = groups.get(key);
    if (group) group.push(job);
    else groups.set(key, [job]);
  }
  return [...groups].flatMap(([key, members]) => {
    const isOpen = !closed.has(key);
    const [first] = members;
    const head = {
      ...{ type: 'group' as const, key, isOpen, ids: members.map(({ id }) => id) },
      ...{ experiment: first?.experiment ?? '', description: first ? descriptionOf(first) : '' },
    };
    return isOpen ? [head, ...flatRows(members)] : [head];
  });
}

export function flatRows(jobs: readonly ListedJob[]): readonly ListRow[] {
  return jobs.map((job) => ({ type: 'job', key: job.id, job }));
}

/** The description as text. */
export function descriptionOf({ annotations }: Pick<ListedJob, 'annotations'>): string {
  return annotationText(annotations['description']);
}

export function annotationText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function groupKey(job: ListedJob): string {
  return JSON.stringify([job.experiment, descriptionOf(job)]);
}

/** The newest jobs as they are now, before those that were listed already and are older. */
export function mergeNewest(before: JobList, fresh: JobList): JobList {
  const last = fresh.jobs.at(-1);
  const place = last === undefined ? -1 : before.jobs.findIndex(({ id }) => id === last.id);
  // Either this is the whole list, or so many jobs are new that the two pages do not overlap.
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

/** Replaces some jobs by their current state; deleted ones are removed. */
export function replaceJobs(before: JobList, ids: readonly string[], found: readonly ListedJob[]): JobList {
  const now = new Map(found.map((job) => [job.id, job]));
  const gone = new Set(ids.filter((id) => !now.has(id)));
  const jobs = before.jobs.filter(({ id }) => !gone.has(id)).map((job) => now.get(job.id) ?? job);
  return { ...before, jobs };
}
