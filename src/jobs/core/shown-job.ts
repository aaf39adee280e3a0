import { isSecretKey } from '../../platform/core/secrets.ts';
import type { Job } from './job.ts';
import { type ShownStatus, shownStatus } from './shown-status.ts';

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
