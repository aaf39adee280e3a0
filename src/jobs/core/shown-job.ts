import { isSecretKey } from '../../platform/core/secrets.ts';
import type { Job, JobStatus, JobTiming } from './job.ts';

/** Stands where a secret is. */
export const HIDDEN_VALUE = '***';

/** A job as it leaves the program: with the status that people see, without secrets in its variables. */
export type ShownJob = Job & { readonly shownStatus: ShownStatus };

export function shownJob(job: Job, now: number): ShownJob {
  return { ...job, shownStatus: shownStatus(job, now), env: shownVariables(job.env) };
}

/** Variables of an environment; the values of those that name a secret are hidden. */
export function shownVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, isSecretKey(name) ? HIDDEN_VALUE : value]),
  );
}

/** How long it ran, or runs; undefined before it began. Of a silent one until its last sign of life. */
export function jobDurationMs(job: Job, now: number): number | undefined {
  const { startedAt, endedAt, heartbeatAt, status } = job;
  if (startedAt === undefined || status === 'CREATED' || status === 'SCHEDULED') return undefined;
  const isSilent = shownStatus(job, now) === 'UNRESPONSIVE';
  return Math.max(0, (endedAt ?? (isSilent ? (heartbeatAt ?? now) : now)) - startedAt);
}

/** From 0 to 1, as the job says it. */
export function jobProgress({ state }: Job): number | undefined {
  const progress = Object.hasOwn(state, 'progress') ? Number(state['progress']) : Number.NaN;
  return Number.isNaN(progress) ? undefined : Math.min(1, Math.max(0, progress));
}

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

/** One event over all workers that told it. */
export interface TotalTiming {
  readonly event: string;
  readonly mean: number;
  readonly instances: number;
  /** Mean times instances. */
  readonly total: number;
}

/** In the order in which the events came first. */
export function totalTimings(timings: readonly JobTiming[]): readonly TotalTiming[] {
  const totals = new Map<string, { instances: number; total: number }>();
  for (const { event, mean, instances } of timings) {
    const sum = totals.get(event) ?? { instances: 0, total: 0 };
    totals.set(event, { instances: sum.instances + instances, total: sum.total + mean * instances });
  }
  return [...totals].map(([event, { instances, total }]) => ({
    event,
    instances,
    total,
    mean: instances === 0 ? Number.NaN : total / instances,
  }));
}
