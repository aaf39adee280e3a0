import { NightmarkError } from '../../core/errors.ts';
import type { JobQueue } from '../../core/ports/job-queue.ts';
import { visible } from '../../core/text/visible.ts';

/** Whole ids from what people type: an id, or any part of it that only one has, such as its last six digits. */
export async function wholeIds(parts: readonly string[], queue: JobQueue): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const part of parts) ids.push(await wholeId(part, queue));
  return ids;
}

export async function wholeId(part: string, queue: JobQueue): Promise<string> {
  const found = /^[0-9a-f]{1,24}$/i.test(part) ? await queue.idsWith(part.toLowerCase(), 5) : [];
  const [only, other] = found;
  if (only !== undefined && other === undefined) return only;
  const shown = visible(part).slice(0, 60);
  if (only === undefined)
    throw new NightmarkError('JOBS_UNKNOWN', `There is no job "${shown}".`, {
      hint: 'nightmark job list shows ids; their last six digits are enough.',
    });
  throw new NightmarkError('JOBS_AMBIGUOUS', `"${shown}" is part of several ids: ${found.join(', ')}.`, {
    hint: 'Give more digits.',
  });
}
