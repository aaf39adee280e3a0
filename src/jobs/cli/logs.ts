import pc from 'picocolors';
import { numberOption } from '../../executors/cli/place-options.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { safeJson, visible } from '../../platform/core/text/terminal-text.ts';
import { followLogs, type LogEvent, type LogFilter, readLogs } from '../app/read-logs.ts';
import { type JobLogEntry, shortId } from '../core/job.ts';
import { wholeIds } from './job-selector.ts';
import { timeText } from './job-text.ts';
import { declareQueue, type JobHome, withJobs } from './open-queue.ts';

const EXAMPLES = `
A line is: worker, time, what was printed. What went to stderr is red, or marked E where there is no colour. Very long output is
kept in the queue by its beginning and end; all of it is in output.txt of the job's folder (nightmark job show ID).

Examples:
  nightmark job logs 3f9a1c                 all of it, of all workers, in the order of time
  nightmark job logs -f 3f9a1c              and what comes, until the job has ended
  nightmark job logs -t 20 -w 1 3f9a1c      the last 20 lines of worker 1
  nightmark job logs --type error 3f9a1c    stderr only`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id...>', 'ids of jobs, or any part that only one has')
      .option('-f, --follow', 'go on until the job has ended')
      .option('-w, --worker <n>', 'only this worker')
      .option('-t, --tail <n>', 'only the last so many lines')
      .option('--type <type>', 'info (stdout) or error (stderr)')
      .option('--json', 'print an object a line');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run(words, options, context) {
    return withJobs(options, context, async (jobs) => {
      const ids = [...new Set(await wholeIds(words, jobs.queue))];
      const printer = printerOf(ids, options, context);
      const filter = filterOf(options);
      if (flag(options, 'follow'))
        await Promise.all(ids.map((id) => follow(id, filter, { jobs, context, printer })));
      else await printAll(ids, filter, { jobs, context, printer });
      return context.signal.aborted ? EXIT.interrupted : EXIT.fine;
    });
  },
};

export default command;

type Printer = (id: string, entries: readonly JobLogEntry[]) => void;

interface Around {
  readonly jobs: JobHome;
  readonly context: CliContext;
  readonly printer: Printer;
}

function printerOf(ids: readonly string[], options: Options, context: CliContext): Printer {
  const isJson = flag(options, 'json');
  return (id, entries) => {
    const prefix = ids.length > 1 ? `${shortId(id)} ` : '';
    const text = entries.map((entry) =>
      isJson ? `${safeJson({ id, ...entry })}\n` : logLines(entry, prefix, context),
    );
    if (text.length > 0) context.stdout.write(text.join(''));
  };
}

/** Of several jobs too: one order of time. */
async function printAll(
  ids: readonly string[],
  filter: LogFilter,
  { jobs, context, printer }: Around,
): Promise<void> {
  const all: { readonly id: string; readonly entry: JobLogEntry }[] = [];
  for (const id of ids) {
    const { entries, leftOut } = await readLogs(id, filter, jobs.queue);
    report({ type: 'left-out', count: leftOut }, id, context);
    if (ids.length === 1) return printer(id, entries);
    for (const entry of entries) all.push({ id, entry });
  }
  for (const { id, entry } of all.sort((a, b) => a.entry.time - b.entry.time)) printer(id, [entry]);
}

async function follow(id: string, filter: LogFilter, { jobs, context, printer }: Around): Promise<void> {
  const effects = { queue: jobs.queue, clock: context.clock, signal: context.signal };
  for await (const event of followLogs(id, filter, effects)) {
    if (event.type === 'entries') printer(id, event.entries);
    else report(event, id, context);
  }
}

function report(event: LogEvent, id: string, { stderr }: CliContext): void {
  const line = describe(event);
  if (line !== undefined) stderr.write(`${shortId(id)} ${visible(line)}\n`);
}

function describe(event: LogEvent): string | undefined {
  if (event.type === 'left-out')
    return event.count > 0
      ? `printed too much: ${event.count} lines are only in the files of its folder`
      : undefined;
  if (event.type === 'deleted') return 'was deleted';
  if (event.type === 'entries') return undefined;
  const { status, reason, exception, attempt } = event.job;
  const why = exception ?? reason;
  if (event.type === 'ended') return `${status}${why === undefined ? '' : `: ${why}`}`;
  const because = why === undefined ? '' : `: ${why}`;
  if (event.isNewAttempt) return `is tried again (attempt ${attempt}, ${status})${because}`;
  if (status === 'CREATED') return 'waits for a worker';
  return status === 'SCHEDULED' ? 'has a worker, and is about to begin' : undefined;
}

function filterOf(options: Options): LogFilter {
  const worker = numberOption(options, 'worker');
  const tail = numberOption(options, 'tail');
  const type = textOption(options, 'type');
  if (type !== undefined && type !== 'info' && type !== 'error')
    throw new NightmarkError('JOBS_LOG_TYPE', `Invalid --type "${visible(type)}".`, {
      hint: 'info is what went to stdout, error what went to stderr.',
    });
  if ((tail ?? 0) < 0)
    throw new NightmarkError('JOBS_NUMBER', `--tail is at least 0, not ${tail}.`, {
      hint: 'Give --tail 20.',
    });
  return {
    ...(worker !== undefined && { worker }),
    ...(tail !== undefined && { tail }),
    ...(type !== undefined && { type }),
  };
}

/** `NN time message`; what came from stderr is red, or has an E where there is no colour. Several lines for several. */
export function logLines(
  { worker, type, message, time }: JobLogEntry,
  prefix: string,
  { stdout, clock }: CliContext,
): string {
  const colors = pc.createColors(stdout.hasColor);
  const isError = type === 'error';
  const head = `${prefix}${String(worker).padStart(2, '0')} ${timeText(time, clock)} `;
  const mark = isError && !stdout.hasColor ? 'E ' : '';
  return message
    .split(/\r\n|\n/)
    .map((line) => {
      const shown = plain(line);
      return `${head}${mark}${isError ? colors.red(shown) : shown}\n`;
    })
    .join('');
}

/** Colours of a program would run into ours; a progress bar shows its last state; all else is made visible. */
function plain(line: string): string {
  const last = line.replace(/\r+$/, '').split('\r').at(-1) ?? '';
  return visible(last.replace(COLORS, '').replaceAll('\t', '    '));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals begin with ESC
const COLORS = /\u001b\[[0-9;:]*m/g;
