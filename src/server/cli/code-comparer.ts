import { homeLayout } from '../../home/core/home-layout.ts';
import { type ComparedCode, compareCode } from '../../jobs/app/compare-code.ts';
import type { JobHome } from '../../jobs/cli/open-queue.ts';
import type { Job } from '../../jobs/core/job.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import type { Archiver } from '../../platform/core/archiver.ts';
import { joinPath } from '../../platform/core/path.ts';

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
