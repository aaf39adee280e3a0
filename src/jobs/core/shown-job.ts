import { isSecretKey } from '../../platform/core/secrets.ts';
import type { Job, JobStatus, JobTiming } from './job.ts';

/** Replaces secrets. */
export const HIDDEN_VALUE = '***';

/** A job for people: with the displayed status, without secrets in its variables. */
export type ShownJob = Job & { readonly shownStatus: ShownStatus };

export function shownJob(job: Job, now: number): ShownJob {
  return { ...job, shownStatus: shownStatus(job, now), env: shownVariables(job.env) };
}

/** Environment variables; values are hidden where the name suggests a secret. */
export function shownVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, isSecretKey(name) ? HIDDEN_VALUE : value]),
  );
}

/** Run time so far; undefined before the start. An unresponsive job counts until its last heartbeat. */
export function jobDurationMs(job: Job, now: number): number | undefined {
  const { startedAt, endedAt, heartbeatAt, status } = job;
  if (startedAt === undefined || status === 'CREATED' || status === 'SCHEDULED') return undefined;
  const isSilent = shownStatus(job, now) === 'UNRESPONSIVE';
  return Math.max(0, (endedAt ?? (isSilent ? (heartbeatAt ?? now) : now)) - startedAt);
}

/** From 0 to 1, as the job reports it. */
export function jobProgress({ state }: Job): number | undefined {
  const progress = Object.hasOwn(state, 'progress') ? Number(state['progress']) : Number.NaN;
  return Number.isNaN(progress) ? undefined : Math.min(1, Math.max(0, progress));
}

/** Twice the heartbeat interval (10 s) of the old monitor's workers. */
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

/** The displayed status: a running job without heartbeats is unresponsive. One without any heartbeat has just started. */
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

/** One event over all workers that reported it. */
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
