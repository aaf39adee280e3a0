import type { JobQueue, StatusFilter } from '../../core/ports/job-queue.ts';

const COUNTED = [
  'CREATED',
  'SCHEDULED',
  'RUNNING',
  'UNRESPONSIVE',
  'FINISHED',
  'CANCELED',
  'FAILED',
] as const satisfies readonly StatusFilter[];

/** Jobs by status, for Prometheus: a family of https://prometheus.io/docs/specs/om/open_metrics_spec/ without the end mark. */
export async function jobMetrics(queue: JobQueue): Promise<string> {
  const lines: string[] = [];
  for (const status of COUNTED)
    lines.push(`nightmark_jobs{status="${status.toLowerCase()}"} ${await queue.count({ status })}\n`);
  return `# TYPE nightmark_jobs gauge\n# HELP nightmark_jobs Jobs in the queue\n${lines.join('')}`;
}
