import { numberOption } from '../../executors/cli/place-options.ts';
import { type CliContext, type CommandModule, EXIT, flag, type Options } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { safeJson } from '../../platform/core/text/terminal-text.ts';
import { countSelected, type JobSelection, selectedJobs } from '../app/select-jobs.ts';
import { yamlText } from '../config/yaml-text.ts';
import type { Job } from '../core/job.ts';
import { legacyDocument } from '../core/legacy-document.ts';
import { shownJob } from '../core/shown-job.ts';
import { declareSelector, readSelection } from './job-selector.ts';
import { type ListRow, listRow, listTable } from './job-text.ts';
import { declareQueue, isNoQueue, type JobHome, withJobs } from './open-queue.ts';

const EXAMPLES = `
Examples:
  nightmark job list                                      the newest jobs
  nightmark job list --status QUEUE --watch               what waits and runs, again and again
  nightmark job list --where "lr > 0.1 and metric.accuracy.max >= 0.9"
  nightmark job list --project vision --name '^resnet' --limit 0 --json

--where takes the keys of a job's configuration (dots lead into objects), its fields (id, user, project, experiment, name,
status, host, priority, executor, progress, duration, attempt, exception, commit, starred ...) and metric.NAME, metric.NAME.min,
metric.NAME.max; ==, !=, <, <=, >, >=, ~ (regular expression), in, and, or, not, + - * / %, .includes(). It runs no code.
QUEUE means CREATED, SCHEDULED or RUNNING; UNRESPONSIVE means RUNNING without a heartbeat for 20 s.`;

const WATCH_MS = 2_000;

const command: CommandModule = {
  configure(parser) {
    declareSelector(parser);
    parser
      .option('-n, --limit <n>', 'at most so many, the newest; 0 for all', '50')
      .option('-w, --watch', 'show it again every two seconds, until Ctrl-C')
      .option('--json', 'print an array of jobs, one a line')
      .option('--yaml', 'print documents with the keys of the old monitor');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  async run(words, options, context) {
    try {
      return await withJobs(options, context, (jobs) => list(words, options, { jobs, context }));
    } catch (error) {
      if (!isNoQueue(error) || words.length > 0) throw error;
      if (flag(options, 'json')) context.stdout.write('[]\n');
      context.stderr.write(`${(error as NightmarkError).message}\n  ${(error as NightmarkError).hint}\n`);
      return EXIT.fine;
    }
  },
};

export default command;

interface Around {
  readonly jobs: JobHome;
  readonly context: CliContext;
}

async function list(words: readonly string[], options: Options, { jobs, context }: Around) {
  const selection = await readSelection(words, options, jobs);
  const given = numberOption(options, 'limit') ?? 50;
  if (given < 0)
    throw new NightmarkError('JOBS_NUMBER', `--limit is at least 0, not ${given}.`, { hint: '0 shows all.' });
  const limit = given === 0 ? Number.MAX_SAFE_INTEGER : given;
  if (flag(options, 'watch')) return watch(selection, limit, { jobs, context });
  const { stdout } = context;
  if (flag(options, 'json')) await writeJson(selectedJobs(selection, limit, jobs.queue), { jobs, context });
  else if (flag(options, 'yaml')) {
    for await (const job of selectedJobs(selection, limit, jobs.queue))
      stdout.write(`---\n${yamlText(legacyDocument(job))}`);
  } else await writeTable(selection, limit, { jobs, context });
  return EXIT.fine;
}

async function writeJson(all: AsyncIterable<Job>, { jobs, context }: Around): Promise<void> {
  let separator = '[\n';
  for await (const job of all) {
    context.stdout.write(`${separator}${safeJson(shownJob(job, jobs.queue.now()))}`);
    separator = ',\n';
  }
  context.stdout.write(separator === '[\n' ? '[]\n' : '\n]\n');
}

async function writeTable(selection: JobSelection, limit: number, { jobs, context }: Around): Promise<void> {
  const { stdout, stderr } = context;
  const { lines, note } = await tableOf(selection, limit, { jobs, context });
  if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`);
  if (note !== '') stderr.write(`${note}\n`);
}

async function tableOf(selection: JobSelection, limit: number, { jobs, context }: Around) {
  const { queue } = jobs;
  const found: ListRow[] = [];
  // One more than is shown, to know whether there are more. Only the row of each job is kept: jobs may be large, and many.
  for await (const job of selectedJobs(selection, limit + 1, queue)) found.push(listRow(job, queue.now()));
  const shown = found.slice(0, limit);
  if (shown.length === 0) {
    const isEmpty = (await queue.count({})) === 0;
    return { lines: [], note: isEmpty ? 'There are no jobs.' : 'No job matches.' };
  }
  const total = found.length > limit ? await countSelected(selection, queue) : undefined;
  const all =
    total === undefined ? 'There are more' : plainly(`These are ${limit} of ${counted(total, 'job')}`);
  return {
    lines: listTable(shown, context.stdout),
    note: found.length > limit ? `${all}: --limit 0 shows all.` : '',
  };
}

async function watch(selection: JobSelection, limit: number, around: Around): Promise<number> {
  const { stdout, clock, signal } = around.context;
  if (!stdout.isTerminal)
    throw new NightmarkError('JOBS_NO_TERMINAL', '--watch needs a terminal.', {
      hint: 'Call nightmark job list without it, as often as you like.',
    });
  stdout.write('\x1b[2J');
  while (!signal.aborted) {
    const { lines, note } = await tableOf(selection, limit, around);
    // From the top, each line to its end, then the rest of the screen: no flicker.
    const text = [...lines, note].map((line) => `${line}\x1b[K\n`).join('');
    stdout.write(`\x1b[H${text}\x1b[J`);
    await clock.sleep(WATCH_MS, signal);
  }
  return EXIT.fine;
}
