import { type CliContext, EXIT, type ExitCode } from '../../platform/cli/command.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { shortId } from '../core/job.ts';
import type { JobQueue } from '../core/job-queue.ts';
import { hasEnded } from '../core/shown-job.ts';

const EVERY_MS = 300;

/** Waits until all have ended, prints how, and returns whether all finished. */
export async function waitForJobs(
  ids: readonly string[],
  queue: JobQueue,
  context: CliContext,
): Promise<ExitCode> {
  const { clock, signal, stderr } = context;
  const open = new Set(ids);
  let failed = 0;
  while (open.size > 0 && !signal.aborted) {
    for (const id of open) {
      const job = await queue.job(id);
      if (job && !hasEnded(job.status)) continue;
      open.delete(id);
      if (job?.status !== 'FINISHED') failed++;
      const why = job?.exception ?? job?.reason;
      stderr.write(
        `${shortId(id)} ${job?.status ?? 'deleted'}${why === undefined ? '' : `: ${visible(why)}`}\n`,
      );
    }
    if (open.size > 0) await clock.sleep(EVERY_MS, signal);
  }
  if (signal.aborted) return EXIT.interrupted;
  return failed > 0 ? EXIT.someFailed : EXIT.fine;
}
