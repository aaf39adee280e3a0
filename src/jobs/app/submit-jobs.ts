import { NightmarkError } from '../../platform/core/errors.ts';
import { safeJson } from '../../platform/core/text/terminal-text.ts';
import type { JobCode, JobSpec } from '../core/job.ts';
import { jobIds } from '../core/job-id.ts';
import type { JobQueue } from '../core/job-queue.ts';

/** A job without what only the queue gives it. */
export type JobDraft = Omit<JobSpec, 'id' | 'createdAt' | 'code'>;

const NAMES = ['user', 'project', 'experiment', 'name'] as const;
const NAME_LENGTH = 200;
const MOST_WORKERS = 10_000;

/** Puts jobs into the queue, all or none; their ids in the order of the drafts. */
export async function submitJobs(
  drafts: readonly JobDraft[],
  code: JobCode | undefined,
  effects: { readonly queue: JobQueue; randomSeed(): number },
): Promise<readonly string[]> {
  const { queue } = effects;
  for (const draft of drafts) refuseNonsense(draft);
  await refuseUnknown(new Set(drafts.flatMap(({ after }) => after)), queue);
  const createdAt = queue.now();
  const nextId = jobIds(createdAt, () => effects.randomSeed());
  const specs = drafts.map(
    (draft): JobSpec => ({ ...draft, id: nextId(), createdAt, ...(code && { code }) }),
  );
  await queue.submit(specs);
  return specs.map(({ id }) => id);
}

function refuseNonsense(draft: JobDraft): void {
  for (const key of NAMES) {
    const text = draft[key];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a name
    if (text.trim() === '' || text.length > NAME_LENGTH || /[\u0000-\u001f\u007f]/.test(text))
      throw new NightmarkError('JOBS_NAME', `${safeJson(text)} cannot be the ${key} of a job.`, {
        hint: `Give 1 to ${NAME_LENGTH} letters without line ends or control characters.`,
      });
  }
  const { workers, priority, retries } = draft;
  refuseNumber('workers', workers, { from: 1, to: MOST_WORKERS });
  refuseNumber('retries', retries, { from: 0, to: 1_000 });
  refuseNumber('priority', priority, { from: -1_000_000, to: 1_000_000 });
}

function refuseNumber(name: string, value: number, { from, to }: { from: number; to: number }): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  throw new NightmarkError('JOBS_NUMBER', `${value} cannot be the ${name} of a job.`, {
    hint: `Give a whole number from ${from} to ${to}.`,
  });
}

async function refuseUnknown(ids: ReadonlySet<string>, queue: JobQueue): Promise<void> {
  for (const id of ids) {
    if (await queue.job(id)) continue;
    throw new NightmarkError('JOBS_UNKNOWN', `There is no job ${id} to wait for.`, {
      hint: 'Name jobs that are in the queue: nightmark job list',
    });
  }
}
