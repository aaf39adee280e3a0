import { NightmarkError } from '../../platform/core/errors.ts';
import { nearestFirst } from '../../platform/core/text/nearest.ts';
import { visible } from '../../platform/core/text/visible.ts';
import { type Job, shortId } from '../core/job.ts';
import type { JobQueue } from '../core/job-queue.ts';

/** Among so many of the newest the one that was meant is looked for. */
const REMEMBERED = 2_000;
const TOLD = 3;
const SHOWN_DIGITS = 6;
/** Six digits of one id are in a few others of a hundred thousand. */
const MANY = 5_000;

/** Whole ids from what people type: an id, or any part of it that only one has, such as its last six digits. */
export async function wholeIds(parts: readonly string[], queue: JobQueue): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const part of parts) ids.push(await wholeId(part, queue));
  return ids;
}

export async function wholeId(part: string, queue: JobQueue): Promise<string> {
  const digits = part.toLowerCase();
  const found = /^[0-9a-f]{1,24}$/.test(digits) ? await queue.idsWith(digits, MANY) : [];
  // Six digits at the end are what is shown: they mean that job, also when they occur elsewhere in another id.
  const ends = digits.length >= SHOWN_DIGITS ? found.filter((id) => id.endsWith(digits)) : [];
  const [only, other] = ends.length > 0 ? ends : found;
  if (only !== undefined && other === undefined) return only;
  const shown = visible(part).slice(0, 60);
  if (only === undefined)
    throw new NightmarkError('JOBS_UNKNOWN', `There is no job "${shown}".`, {
      hint: await hintFor(part, queue),
    });
  const several = ends.length > 0 ? ends : found;
  const more = several.length > 5 ? ' ...' : '';
  throw new NightmarkError(
    'JOBS_AMBIGUOUS',
    `"${shown}" is part of several ids: ${several.slice(0, 5).join(', ')}${more}.`,
    { hint: 'Give more digits.' },
  );
}

/** One job, whole. */
export async function findJob(part: string, queue: JobQueue): Promise<Job> {
  const id = await wholeId(part, queue);
  const job = await queue.job(id);
  if (job !== undefined) return job;
  throw new NightmarkError('JOBS_UNKNOWN', `There is no job ${id}.`, { hint: 'It was deleted just now.' });
}

async function hintFor(part: string, queue: JobQueue): Promise<string> {
  const newest = await queue.idsWith('', REMEMBERED);
  if (newest.length === 0) return 'The queue is empty.';
  const isShort = part.length <= 8;
  const near = nearestFirst(part, isShort ? newest.map(shortId) : newest).slice(0, TOLD);
  return `The nearest ids are ${near.join(', ')}. nightmark job list shows all; the last six digits are enough.`;
}
