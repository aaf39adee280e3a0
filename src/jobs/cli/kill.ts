import { isatty } from 'node:tty';
import { type CliContext, type CommandModule, EXIT, flag, type Options } from '../../platform/cli/command.ts';
import { isAlive } from '../../platform/cli/worker-identity.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { safeJson } from '../../platform/core/text/terminal-text.ts';
import { type KilledJob, killJobs } from '../app/kill-jobs.ts';
import { type Job, shortId } from '../core/job.ts';
import { hasEnded } from '../core/shown-job.ts';
import { chosenJobs, declareSelector } from './job-selector.ts';
import { jobLine, jobTitle } from './job-text.ts';
import { declareQueue, withJobs } from './open-queue.ts';

const EXAMPLES = `
Cancels jobs that wait or run, and waits until their workers have ended what runs (a worker checks every two seconds).

Examples:
  nightmark job kill 3f9a1c
  nightmark job kill --experiment sweep-7 --status QUEUE --yes
  nightmark job kill --where "lr >= 1" --no-wait`;

/** A worker checks every two seconds, and gives a program some seconds to end by itself. */
export const WAIT_MS = 30_000;

const command: CommandModule = {
  configure(parser) {
    declareSelector(parser);
    parser
      .option('-y, --yes', 'do not ask for confirmation')
      .option('--no-wait', 'do not wait until their workers have released them')
      .option('--json', 'print the outcome of each as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run(words, options, context) {
    return withJobs(options, context, async (jobs) => {
      const { queue } = jobs;
      const chosen = await chosenJobs(words, options, jobs);
      const open = chosen.filter(({ status }) => !hasEnded(status));
      if (open.length > 0 && !(await confirm('cancel', open, { options, context, now: queue.now() })))
        return nothingDone(context);
      const waitMs = options['wait'] === false ? 0 : WAIT_MS;
      const effects = { ...effectsOf(context), queue };
      const killed = await killJobs(chosen, { reason: reasonOf(context), waitMs }, effects);
      if (flag(options, 'json')) context.stdout.write(`${safeJson(killed)}\n`);
      else printKilled(killed, chosen, context);
      if (context.signal.aborted) return EXIT.interrupted;
      return waitMs > 0 && killed.some(({ became }) => became === 'stopping') ? EXIT.someFailed : EXIT.fine;
    });
  },
};

export default command;

export function nothingDone({ stderr }: CliContext): number {
  stderr.write('Nothing was done.\n');
  return EXIT.error;
}

export function reasonOf({ env }: CliContext): string {
  const who = env['USER'] ?? env['LOGNAME'];
  return who === undefined ? 'Cancelled by hand.' : `Cancelled by ${who}.`;
}

export function effectsOf({ clock, signal, hostName }: CliContext) {
  return { clock, signal, isAlive: (worker: Parameters<typeof isAlive>[0]) => isAlive(worker, hostName) };
}

function printKilled(killed: readonly KilledJob[], jobs: readonly Job[], { stdout }: CliContext): void {
  for (const [at, one] of killed.entries()) {
    const job = jobs[at];
    stdout.write(`${shortId(one.id)} ${job === undefined ? '' : jobTitle(job)} ${outcomeText(one)}\n`);
  }
}

function outcomeText({ became: how, was }: KilledJob): string {
  switch (how) {
    case 'stopped':
      return was === 'CREATED'
        ? 'is cancelled; it had not begun'
        : 'is cancelled, and nothing of it runs any more';
    case 'stopping':
      return 'is cancelled; its worker has not released it yet';
    case 'had-ended':
      return `had ended before: ${was}`;
    case 'gone':
      return 'is not there any more';
  }
}

const MOST_LISTED = 40;

/** Lists the jobs and asks for confirmation; true: continue. Without a terminal --yes is required. */
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
    throw new NightmarkError('JOBS_NOT_CONFIRMED', `Confirmation is needed to ${verb} ${what}.`, {
      hint: 'There is no terminal: add --yes.',
    });
  stderr.write(`${verb[0]?.toUpperCase()}${verb.slice(1)} ${what}? [Y/n] `);
  for await (const line of stdin) return /^\s*(y|yes)?\s*$/i.test(line);
  return false;
}
