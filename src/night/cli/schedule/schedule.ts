import processExecutor from '../../../executors/adapters/process/process.ts';
import { gitSources } from '../../../git/adapters/git.ts';
import type { Schedule } from '../../../home/core/home.ts';
import timetable from '../../../platform/adapters/cron.ts';
import { fileLocks } from '../../../platform/adapters/file-locks.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  type ExitCode,
  flag,
  type Options,
} from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { resolvePath } from '../../../platform/core/path.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { formatTimeUntil, localTime, utcTime } from '../../../platform/core/text/times.ts';
import { waitingNotices } from '../../../publish/cli/notify/waiting-notices.ts';
import { planNext } from '../../app/schedule/run-due.ts';
import { runDueNight, scheduleNights } from '../../app/schedule/schedule-nights.ts';
import type { ScheduleEffects, ScheduleEvent } from '../../app/schedule/schedule-state.ts';
import { pullHome, runNightProcess } from './night-process.ts';
import { checkSources, readScheduleSetup, type ScheduleSetup } from './schedule-setup.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'the home (default: this folder)')
      .option('--cron <expression>', 'minute hour day month weekday, instead of the schedule of the home')
      .option('--timezone <zone>', 'zone of the schedule, for example Europe/Berlin')
      .option(
        '--new-commits <every>',
        'also run a night when a source has a new commit; how often to check, such as 10m',
      )
      .option('--pull', 'first pull the repository that holds the experiments')
      .option('--next [count]', 'print when the next nights are, and end')
      .option('--once', 'run a night if one is due, and end; for cron and systemd timers')
      .option('--json', 'one JSON object for each event');
  },

  async run(args, options, context) {
    const next = readNext(options['next'], args);
    const home = resolvePath(context.cwd, next.home ?? '.');
    const setup = await readScheduleSetup(home, options, context);
    if (next.count !== undefined) {
      showNext(setup.schedule, { count: next.count, isJson: flag(options, 'json') }, context);
      return EXIT.fine;
    }
    const effects = toEffects(home, setup, { options, context });
    if (flag(options, 'once')) return runOnce(home, effects, { options, context });
    await scheduleNights(home, effects);
    return EXIT.interrupted;
  },
};

export default command;

interface Call {
  readonly options: Options;
  readonly context: CliContext;
}

function toEffects(home: string, first: ScheduleSetup, { options, context }: Call): ScheduleEffects {
  const executor = processExecutor;
  const control = gitSources(executor);
  let current = first;
  return {
    ...context,
    timetable,
    locks: fileLocks,
    holder: { pid: context.processId, host: context.hostName, since: isoTime(context.clock.now()) },
    async readSchedule() {
      current = await readScheduleSetup(home, options, context);
      return current.schedule;
    },
    runNight: (facts) => runNightProcess(home, facts, { executor, context }),
    ...(first.schedule.pull && { pull: () => pullHome(home, current.pullDirs, { control, context }) }),
    checkSources: () => checkSources(current.sources, control, context.signal),
    meanwhile: waitingNotices(home, context),
    report: (event) => writeEvent(event, current.schedule.timezone, { options, context }),
  };
}

async function runOnce(
  home: string,
  effects: ScheduleEffects,
  { options, context }: Call,
): Promise<ExitCode> {
  const result = await runDueNight(home, effects).catch(toHeld);
  if (result.state === 'held') {
    context.stderr.write(`${result.message}\n`);
    return EXIT.fine;
  }
  if (result.state === 'ran') return toExitCode(result.outcome.exitCode);
  const { until, schedule } = result;
  const isoUntil = until === undefined ? {} : { until: isoTime(until) };
  context.stdout.write(
    flag(options, 'json')
      ? `${JSON.stringify({ type: 'not-due', ...isoUntil })}\n`
      : `${nothingDue(until, schedule, context.clock.now())}\n`,
  );
  return EXIT.fine;
}

function writeEvent(event: ScheduleEvent, timezone: string | undefined, { options, context }: Call): void {
  const now = context.clock.now();
  if (flag(options, 'json')) context.stdout.write(`${JSON.stringify({ at: isoTime(now), ...event })}\n`);
  else context.stderr.write(`${eventLine(event, now, timezone)}\n`);
}

/** A timer that runs every ten minutes finds the night of an earlier one still running: nothing is wrong. */
function toHeld(error: unknown): { readonly state: 'held'; readonly message: string } {
  if (error instanceof NightmarkError && error.code === 'SCHEDULE_HELD')
    return { state: 'held', message: error.message };
  throw error;
}

/** The night is a Nightmark of the same version: its codes are ours. */
function toExitCode(code: number): ExitCode {
  return Object.values(EXIT).find((known) => known === code) ?? EXIT.error;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

const MAX_NEXT = 1000;

/** The number of --next. "--next HOME" means the home: a folder is not a number. */
export function readNext(
  value: Options[string],
  [home]: readonly string[],
): { home?: string; count?: number } {
  const given = home === undefined ? {} : { home };
  if (value === undefined) return given;
  if (value === true) return { ...given, count: 1 };
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_NEXT) return { ...given, count };
  if (home === undefined && Number.isNaN(count)) return { home: String(value), count: 1 };
  throw new NightmarkError('CLI_INVALID_OPTION', `--next ${String(value)} is not a count.`, {
    hint: `A whole number from 1 to ${MAX_NEXT}.`,
  });
}

/** Prints when the next nights are: on the clock of the schedule's zone, in UTC, and in how long. */
export function showNext(
  schedule: Schedule,
  { count, isJson }: { readonly count: number; readonly isJson: boolean },
  { clock, stdout }: CliContext,
): void {
  const now = clock.now();
  planNext({ schedule, now }, timetable); // refuses a day that never comes
  const { cron, timezone } = schedule;
  const times = cron === undefined ? [] : timetable.next(cron, timezone, now, count);
  if (isJson) {
    const next = times.map((at) => ({
      at: new Date(at).toISOString(),
      local: localTime(at, timezone),
      inSeconds: Math.round((at - now) / 1000),
    }));
    stdout.write(`${JSON.stringify({ cron: cron ?? null, timezone: timezone ?? null, next })}\n`);
    return;
  }
  if (cron === undefined) stdout.write('With the next new commit; there are no fixed times.\n');
  for (const at of times) {
    stdout.write(`${localTime(at, timezone)}   ${utcTime(at)}   ${formatTimeUntil(at - now)}\n`);
  }
}

/** The message of "--once" when there is nothing to do. */
export function nothingDue(until: number | undefined, schedule: Schedule, now: number): string {
  if (until === undefined) return 'No night is due: no source has a new commit.';
  return `No night is due. The next one: ${timeText(until, now, schedule.timezone)}${orCommit(schedule)}.`;
}

function timeText(at: number, now: number, timezone: string | undefined): string {
  return `${localTime(at, timezone)}, ${formatTimeUntil(at - now)}`;
}

function orCommit({ commitsEveryMs }: Schedule): string {
  return commitsEveryMs === undefined ? '' : ', or with the next new commit';
}

/** An event of the schedule as a line for people. */
export function eventLine(event: ScheduleEvent, now: number, timezone: string | undefined): string {
  switch (event.type) {
    case 'waiting':
      return event.until === undefined
        ? 'Next night: with the next new commit.'
        : `Next night: ${timeText(event.until, now, timezone)}${orCommit(event.schedule)}.`;
    case 'night-started': {
      if (event.news)
        return `${localTime(now, timezone)}: the night begins, new in ${event.news.map(visible).join(', ')}.`;
      const planned = `planned for ${localTime(event.plannedAt, timezone)}`;
      const others = event.missed > 1 ? `; ${event.missed} were missed, one is run for all of them` : '';
      return `${localTime(now, timezone)}: the night begins, ${planned}${others}.`;
    }
    case 'night-ended':
      return `${localTime(now, timezone)}: the night ended: ${event.message}`;
    case 'warning':
      return `warning: ${event.message}`;
  }
}
