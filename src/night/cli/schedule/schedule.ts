import processExecutor from '../../../executors/adapters/process/process.ts';
import gitSources from '../../../git/adapters/git/git.ts';
import timetable from '../../../platform/adapters/cron.ts';
import locks from '../../../platform/adapters/locks/sqlite/sqlite.ts';
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
import { waitingNotices } from '../../../publish/cli/notify/waiting-notices.ts';
import type { ScheduleEffects, ScheduleEvent } from '../../app/schedule/schedule-effects.ts';
import { runDueNight, scheduleNights } from '../../app/schedule/schedule-nights.ts';
import { askSources } from './ask-sources.ts';
import { runNightProcess } from './night-process.ts';
import { pullHome } from './pull-home.ts';
import { readScheduleSetup, type ScheduleSetup } from './schedule-setup.ts';
import { eventLine, nothingDue } from './schedule-text.ts';
import { readNext, showNext } from './show-next.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'the home (default: this folder)')
      .option('--cron <expression>', 'minute hour day month weekday, instead of what the home says')
      .option('--timezone <zone>', 'zone of the schedule, for example Europe/Berlin')
      .option(
        '--new-commits <every>',
        'also run a night when a source has a new commit; how often to look, such as 10m',
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
    locks,
    holder: { pid: context.processId, host: context.hostName, since: isoTime(context.clock.now()) },
    async readSchedule() {
      current = await readScheduleSetup(home, options, context);
      return current.schedule;
    },
    runNight: (facts) => runNightProcess(home, facts, { executor, context }),
    ...(first.schedule.pull && { pull: () => pullHome(home, current.pullDirs, { control, context }) }),
    askSources: () => askSources(current.sources, control, context.signal),
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

/** A timer that looks every ten minutes finds the night of an earlier look at work: nothing is wrong. */
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
