import { NightmarkError } from '../../platform/core/errors.ts';
import type { JobQueue } from '../core/job-queue.ts';
import { SHOWN_STATUSES } from '../core/shown-job.ts';

/**
 * Jobs by status, for Prometheus: a family of https://prometheus.io/docs/specs/om/open_metrics_spec/ without the end mark.
 * Nothing while the queue cannot be asked: the other families are shown anyway.
 */
export async function jobMetrics(queue: JobQueue, report: (line: string) => void): Promise<string> {
  const lines: string[] = [];
  try {
    for (const status of SHOWN_STATUSES)
      lines.push(`nightmark_jobs{status="${status.toLowerCase()}"} ${await queue.count({ status })}\n`);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    report(`Jobs cannot be counted: ${error.message} [${error.code}]`);
    return '';
  }
  return `# TYPE nightmark_jobs gauge\n# HELP nightmark_jobs Jobs in the queue\n${lines.join('')}`;
}
