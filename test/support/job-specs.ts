import type { JobSpec } from '../../src/jobs/core/job.ts';

/** The id of the n-th job of a test. */
export function jobId(n: number): string {
  return n.toString(16).padStart(24, '0');
}

/** A job as tests need it; the larger the number, the younger. */
export function jobSpec(n: number, changes: Partial<JobSpec> = {}): JobSpec {
  return {
    id: jobId(n),
    user: 'ada',
    project: 'vision',
    experiment: 'baseline',
    name: `job-${n}`,
    program: { type: 'command', argv: ['true'] },
    overrides: { lr: n / 10 },
    workers: 1,
    priority: 1,
    executor: 'process',
    resources: {},
    place: {},
    env: {},
    after: [],
    retries: 0,
    createdAt: 1_700_000_000_000 + n,
    ...changes,
  };
}
