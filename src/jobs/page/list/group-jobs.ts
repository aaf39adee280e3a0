import type { ListedJob } from '../../core/job-documents.ts';

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

/** What people said that it is, as text. */
export function descriptionOf({ annotations }: Pick<ListedJob, 'annotations'>): string {
  return saidText(annotations['description']);
}

export function saidText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function groupKey(job: ListedJob): string {
  return JSON.stringify([job.experiment, descriptionOf(job)]);
}
