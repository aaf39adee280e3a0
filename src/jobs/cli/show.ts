import pc from 'picocolors';
import type { Exit } from '../../executors/core/executor.ts';
import { type CliContext, type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { textTable } from '../../platform/cli/text-table.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { safeJson, visible } from '../../platform/core/text/terminal-text.ts';
import { metricName } from '../core/compare-jobs.ts';
import { flatKeys } from '../core/dotted-keys.ts';
import { type Job, programText, shortId } from '../core/job.ts';
import { jobDurationMs, shownJob, shownStatus, shownVariables } from '../core/shown-job.ts';
import { findJob } from './job-selector.ts';
import { paintStatus, timeText, workerLines } from './job-text.ts';
import { declareQueue, withJobs } from './open-queue.ts';

const EXAMPLES = `
Examples:
  nightmark job show 3f9a1c            what it is, when and how it ran, and its results
  nightmark job show 3f9a1c -c         with its configuration and environment
  nightmark job show 3f9a1c --json     all of it, for programs`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id>', 'id of a job, or any part that only it has')
      .option('-c, --config', 'with the configuration and the environment')
      .option('--json', 'print it as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run([part = ''], options, context) {
    return withJobs(options, context, async ({ queue, results }) => {
      const job = await findJob(part, queue);
      const { stdout } = context;
      if (flag(options, 'json')) stdout.write(`${safeJson(shownJob(job, queue.now()))}\n`);
      else
        stdout.write(
          showText(job, { now: queue.now(), results, hasConfig: flag(options, 'config'), context }),
        );
      return EXIT.fine;
    });
  },
};

export default command;

export interface ShowOptions {
  readonly now: number;
  /** Absolute folder of results. */
  readonly results: string;
  readonly hasConfig: boolean;
  readonly context: CliContext;
}

type Pair = readonly [key: string, value: string | undefined];

/** So much of the end of a traceback: where it happened. */
const TRACEBACK_LINES = 12;
const MOST_METRICS = 40;

/** `key: value`, aligned, in the order of interest: identity, times, submission, results. */
export function showText(job: Job, options: ShowOptions): string {
  const pairs = [
    ...identity(job, options),
    ...times(job, options),
    ...submission(job),
    ...results(job, options),
  ];
  const present = pairs.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  const width = Math.max(...present.map(([key]) => key.length));
  const colors = pc.createColors(options.context.stdout.hasColor);
  const lines = present.map(([key, value]) => {
    const shown = key === 'status' ? paintStatus(value, shownStatus(job, options.now), colors) : value;
    return `${colors.dim(`${key}:`)}${' '.repeat(width - key.length + 1)}${shown}`;
  });
  const blocks: readonly (readonly [string, readonly string[]])[] = [
    ['config', options.hasConfig ? objectLines(job.config) : []],
    ['environment', options.hasConfig ? objectLines(job.environment) : []],
    ['metrics', metricLines(job)],
    ['exception', exceptionLines(job)],
    ['workers', workerLines(job, options.now, options.context.stdout)],
    ['to reproduce it', reproduceLines(job)],
  ];
  for (const [title, inner] of blocks) {
    if (inner.length > 0) lines.push(colors.dim(`${title}:`), ...inner.map((line) => `  ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

function identity(job: Job, { now }: ShowOptions): readonly Pair[] {
  const { user, project, experiment, name, id, reason, host, state, annotations } = job;
  return [
    ['user', visible(user)],
    ['project', visible(project)],
    ['experiment', visible(experiment)],
    ['job', visible(name)],
    ['id', id],
    ['status', shownStatus(job, now)],
    ['reason', text(reason)],
    ['host', text(host)],
    ['state', inline(state)],
    ['annotations', inline(annotations)],
  ];
}

function times(job: Job, { now, context }: ShowOptions): readonly Pair[] {
  const { createdAt, scheduledAt, startedAt, endedAt, heartbeatAt, notBefore } = job;
  const at = (time: number | undefined) => (time === undefined ? undefined : timeText(time, context.clock));
  const duration = jobDurationMs(job, now);
  return [
    ['created', at(createdAt)],
    ['scheduled', at(scheduledAt)],
    ['started', at(startedAt)],
    ['last heartbeat', at(heartbeatAt)],
    ['ended', at(endedAt)],
    ['not before', at(notBefore)],
    ['duration', duration === undefined ? undefined : plainly(formatDuration(duration))],
  ];
}

function submission(job: Job): readonly Pair[] {
  const { program, code, git, priority, workers, executor, after, retries, sweep, rerunOf, env } = job;
  const dirty = git?.isDirty ? ', with changes that were not committed' : '';
  return [
    [program.type === 'script' ? 'script' : 'command', visible(programText(program))],
    ['overrides', inline(job.overrides)],
    ['code', code && visible(code.type === 'package' ? `package ${code.hash}` : code.path)],
    ['git', git && visible(`${git.commit}${git.branch === undefined ? '' : ` (${git.branch})`}${dirty}`)],
    ['commit', git && visible(git.message.split('\n', 1)[0] ?? '')],
    ['remote', text(git?.remote)],
    ['priority', String(priority)],
    ['workers', String(workers)],
    ['executor', visible(executor)],
    ['resources', inline(job.resources as JsonObject)],
    ['place', inline(JSON.parse(JSON.stringify(job.place)) as JsonObject)],
    ['variables', inline(shownVariables(env))],
    ['after', after.length === 0 ? undefined : after.map(shortId).join(', ')],
    ['retries', retries === 0 ? undefined : String(retries)],
    ['sweep', text(sweep)],
    ['repeats', rerunOf],
  ];
}

function results(job: Job, { results }: ShowOptions): readonly Pair[] {
  const { attempt, lost, exit, outputDir, images } = job;
  return [
    ['attempt', attempt === 1 ? undefined : `${attempt}${lost > 0 ? ` (workers lost: ${lost})` : ''}`],
    ['ended by', exit && exitText(exit)],
    ['output', outputDir === undefined ? undefined : visible(joinPath(results, outputDir))],
    ['images', inline(images)],
  ];
}

function exitText(exit: Exit): string {
  switch (exit.type) {
    case 'code':
      return `exit code ${exit.code}`;
    case 'signal':
      return `signal ${exit.signal}`;
    case 'timeout':
      return `its time was over after ${plainly(formatDuration(exit.afterMs))}`;
    case 'cancelled':
      return 'cancel';
    case 'not-started':
      return visible(`it could not be started: ${exit.reason}`);
  }
}

function metricLines({ metrics }: Job): readonly string[] {
  const rows = metrics.flatMap((metric) =>
    Object.entries(metric.fields).map(([field, { last, min, max, count }]) => [
      visible(metricName(metric)),
      visible(field),
      visible(String(last)),
      min === undefined ? '' : String(min),
      max === undefined ? '' : String(max),
      String(count),
    ]),
  );
  if (rows.length === 0) return [];
  const table = textTable([
    ['metric', 'field', 'newest', 'min', 'max', 'count'],
    ...rows.slice(0, MOST_METRICS),
  ]);
  return rows.length > MOST_METRICS ? [...table, `and ${rows.length - MOST_METRICS} more: --json`] : table;
}

function exceptionLines({ exception, traceback, exceptionWorker }: Job): readonly string[] {
  if (exception === undefined && traceback === undefined) return [];
  const who = exceptionWorker === undefined || exceptionWorker === 0 ? '' : ` (worker ${exceptionWorker})`;
  const lines = (traceback ?? '').trimEnd().split('\n');
  const left = lines.length - TRACEBACK_LINES;
  return [
    visible(exception ?? '') + who,
    ...(left > 0 ? [`... ${left} lines before: --json`] : []),
    ...lines.slice(-TRACEBACK_LINES).map((line) => visible(line)),
  ].filter((line) => line !== '');
}

function objectLines(object: JsonObject): readonly string[] {
  const pairs = [...flatKeys(object)].map(([key, value]) => [`${visible(key)}:`, valueText(value)]);
  return pairs.length === 0 ? ['(empty)'] : textTable(pairs);
}

function inline(object: JsonObject): string | undefined {
  const pairs = [...flatKeys(object)].map(([key, value]) => `${visible(key)}=${valueText(value)}`);
  return pairs.length === 0 ? undefined : pairs.join(' ');
}

function valueText(value: JsonValue): string {
  return visible(typeof value === 'string' ? value : JSON.stringify(value));
}

function text(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : visible(value);
}

/** Commands that run it again: with Nightmark, or from its repository. */
export function reproduceLines(job: Job): readonly string[] {
  const again = `nightmark job rerun ${shortId(job.id)}`;
  const { git } = job;
  if (git?.remote === undefined) return [again];
  const note = git.isDirty ? '   # and the changes that were not committed: git.diff of --json' : '';
  return [
    again,
    `git clone ${visible(shellQuote(git.remote))} code && cd code && git checkout ${visible(git.commit)}${note}`,
    ...(job.program.type === 'command' ? [visible(programText(job.program))] : []),
  ];
}
