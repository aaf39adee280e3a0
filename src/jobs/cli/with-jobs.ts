import type { Command as Parser } from 'commander';
import type { CliContext, Options } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { HOME_OPTION, type JobHome, openJobHome, POSTGRES_OPTION } from './open-queue.ts';

/** Options of every command that looks at jobs. */
export function declareQueue(parser: Parser): void {
  parser.option(...HOME_OPTION).option(...POSTGRES_OPTION);
}

/** Opens the queue of a home that has one: a command that looks makes none. */
export async function withJobs<T>(
  options: Options,
  context: CliContext,
  use: (jobs: JobHome) => Promise<T>,
): Promise<T> {
  const jobs = await openJobHome(options, context, { mustExist: true });
  try {
    return await use(jobs);
  } finally {
    await jobs.queue.close();
  }
}

export function isNoQueue(error: unknown): boolean {
  return error instanceof NightmarkError && error.code === 'JOBS_NO_QUEUE';
}
