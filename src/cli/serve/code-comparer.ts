import { type ComparedCode, compareCode } from '../../app/jobs/compare-code.ts';
import type { Job } from '../../core/model/job.ts';
import { homeLayout } from '../../core/model/layout.ts';
import { joinPath } from '../../core/path.ts';
import type { Archiver } from '../../core/ports/archiver.ts';
import { loadAdapter } from '../adapters.ts';
import type { CliContext } from '../context.ts';
import type { JobHome } from '../job/open-queue.ts';

/** Compares code of jobs, one pair after the other: whoever asks often fills neither disk nor memory. */
export function codeComparer(
  { queue, home }: JobHome,
  { disk, env, signal, processId }: CliContext,
): (jobs: readonly [Job, Job]) => Promise<ComparedCode | undefined> {
  let last: Promise<unknown> = Promise.resolve();
  const staging = joinPath(homeLayout(home).staging, `page-diff-${processId}`);
  return (jobs) => {
    const next = last.then(async () => {
      const archiver = await loadAdapter<Archiver>('archivers', 'tar');
      return compareCode(jobs, staging, { queue, disk, env, signal, archiver });
    });
    last = next.catch(() => {});
    return next;
  };
}
