import type { Job, JobStatus } from './job.ts';

/** Twice the ten seconds at which the old monitor's workers gave a sign of life. */
export const UNRESPONSIVE_AFTER_MS = 20_000;

export type ShownStatus = JobStatus | 'UNRESPONSIVE';

/** In the order in which a job goes through them. */
export const SHOWN_STATUSES = [
  'CREATED',
  'SCHEDULED',
  'RUNNING',
  'UNRESPONSIVE',
  'FINISHED',
  'CANCELED',
  'FAILED',
] as const satisfies readonly ShownStatus[];

/** As people see it: a job that runs and has been silent for too long is unresponsive. One that never spoke has just begun. */
export function shownStatus(
  { status, heartbeatAt }: Pick<Job, 'status' | 'heartbeatAt'>,
  now: number,
): ShownStatus {
  if (status !== 'RUNNING' || heartbeatAt === undefined) return status;
  return now - heartbeatAt > UNRESPONSIVE_AFTER_MS ? 'UNRESPONSIVE' : status;
}

export function hasEnded(status: JobStatus): boolean {
  return status === 'FINISHED' || status === 'CANCELED' || status === 'FAILED';
}
