import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import type { Job } from '../core/job.ts';
import type { JobQueue } from '../core/job-queue.ts';

const KEY_LENGTH = 200;

export interface Annotation {
  readonly id: string;
  readonly key: string;
  /** Null and undefined take it away. */
  readonly value?: JsonValue | undefined;
}

/** What somebody says of a job; undefined when there is no such job. */
export async function annotate(queue: JobQueue, { id, key, value }: Annotation): Promise<Job | undefined> {
  if (key.length > KEY_LENGTH || key.split('.').some((part) => part.trim() === ''))
    throw new NightmarkError('JOBS_ASKED', `${JSON.stringify(key)} cannot be the key of an annotation.`, {
      hint: `Give 1 to ${KEY_LENGTH} characters, such as star, description or review.by.`,
    });
  return queue.annotate(id, key, value ?? undefined);
}
