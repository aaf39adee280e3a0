import { theSource } from '../../../platform/page/data/source.ts';
import type { ListedJob } from '../../core/job-documents.ts';

/** What can be done to jobs. */
export type JobAction = 'kill' | 'rerun' | 'delete' | 'star' | 'unstar' | 'note' | 'bug';

/** A job as it is asked about: its id and its name. */
export type NamedJob = Pick<ListedJob, 'id' | 'name'>;

export interface Done {
  readonly id: string;
  /** Why it was not done. */
  readonly problem?: string;
  /** Of a rerun: the new job. */
  readonly newId?: string;
}

/** One after the other; what fails does not stop the rest. */
export async function changeJobs(
  jobs: readonly NamedJob[],
  { action, note }: { readonly action: JobAction; readonly note?: string },
  onDone: (done: readonly Done[]) => void,
): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const { id } of jobs) {
    try {
      const answer = (await theSource().change(...requestOf(id, action, note))) as
        | { id?: string }
        | undefined;
      done.push({ id, ...(action === 'rerun' && answer?.id !== undefined && { newId: answer.id }) });
    } catch (error) {
      done.push({ id, problem: error instanceof Error ? error.message : String(error) });
    }
    onDone([...done]);
  }
  return done;
}

type Request = Parameters<ReturnType<typeof theSource>['change']>;

function requestOf(id: string, action: JobAction, note: string | undefined): Request {
  const job = `jobs/${encodeURIComponent(id)}`;
  const say = (key: string, value: unknown): Request => [
    `${job}/annotate`,
    { method: 'POST', body: { key, value } },
  ];
  if (action === 'delete') return [job, { method: 'DELETE' }];
  if (action === 'kill')
    return [`${job}/cancel`, { method: 'POST', body: { reason: 'It was killed on the page.' } }];
  if (action === 'rerun') return [`${job}/rerun`, { method: 'POST' }];
  if (action === 'note') return say('note', note === '' ? null : note);
  if (action === 'bug') return say('bug', note === 'off' ? null : true);
  return say('star', action === 'star' ? true : null);
}
