import { isatty } from 'node:tty';
import { flag, type Options } from '../../platform/cli/command.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/visible.ts';
import { type Job, shortId } from '../core/job.ts';
import { shownStatus } from '../core/shown-job.ts';

const MOST_LISTED = 40;

/** Lists what will be touched, and asks; true: go on. Without a terminal nobody can be asked, and --yes must have been given. */
export async function confirm(
  verb: string,
  jobs: readonly Job[],
  {
    options,
    context,
    now,
  }: { readonly options: Options; readonly context: CliContext; readonly now: number },
): Promise<boolean> {
  if (flag(options, 'yes')) return true;
  const { stderr, stdin } = context;
  const canAsk = stderr.isTerminal && isatty(0) && stdin !== undefined;
  for (const job of jobs.slice(0, MOST_LISTED)) stderr.write(`  ${jobLine(job, now)}\n`);
  if (jobs.length > MOST_LISTED) stderr.write(`  and ${jobs.length - MOST_LISTED} more\n`);
  const what = plainly(counted(jobs.length, 'job'));
  if (!canAsk)
    throw new NightmarkError('JOBS_NOT_CONFIRMED', `Nobody can be asked whether to ${verb} ${what}.`, {
      hint: 'There is no terminal: add --yes.',
    });
  stderr.write(`${verb[0]?.toUpperCase()}${verb.slice(1)} ${what}? [Y/n] `);
  for await (const line of stdin) return /^\s*(y|yes)?\s*$/i.test(line);
  return false;
}

/** `3f9a1c vision/baseline/train -- RUNNING`. */
export function jobLine(job: Job, now: number): string {
  return `${shortId(job.id)} ${jobTitle(job)} -- ${shownStatus(job, now)}`;
}

export function jobTitle({ project, experiment, name }: Job): string {
  return visible(`${project}/${experiment}/${name}`);
}
