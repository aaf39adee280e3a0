import type { Executor, Exit } from '../../../executors/core/executor.ts';
import type { SourceControl } from '../../../git/core/source-control.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import { type CliContext, EXIT } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { programFile } from '../../../platform/core/package-file.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { NightOutcome } from '../../app/schedule/schedule-state.ts';

/** Logs of nights that are kept; the results of a night and the logs of its stages are in the home anyway. */
const KEPT_LOGS = 30;

/** Runs "nightmark run HOME" as a process of its own: the schedule stays small, and a cancel ends the whole night. */
export async function runNightProcess(
  home: string,
  { pullWarning }: { readonly pullWarning?: string },
  { executor, context }: { readonly executor: Executor; readonly context: CliContext },
): Promise<NightOutcome> {
  const folder = scheduleFolder(home);
  const stamp = new Date(context.clock.now()).toISOString().replaceAll(':', '').slice(0, 17);
  const logFile = joinPath(folder, `night-${stamp}.log`);
  await keepNewest(folder, context);
  // A timetable is no gate: the first nights have no history, and unknown directions are on the page and in notices.
  const gate = ['--fail-on-regression', '--allow-unknown'] as const;
  const command = {
    argv: [process.execPath, programFile(context.packageDir), 'run', home, ...gate] as const,
    cwd: context.cwd,
    env: { ...context.env, ...(pullWarning !== undefined && { NIGHTMARK_PULL_WARNING: pullWarning }) },
    logFile,
    // A night ends its stage first, which has a grace time of its own.
    graceMs: 30_000,
  };
  const { exit } = await executor.start(command, context.signal).wait();
  return toOutcome(exit, logFile);
}

/** Logs of the schedule itself. */
function scheduleFolder(home: string): string {
  return joinPath(homeLayout(home).own, 'schedule');
}

const MEANING: Readonly<Record<number, string>> = {
  [EXIT.fine]: 'all is well.',
  [EXIT.regression]: 'something became slower.',
  [EXIT.someFailed]: 'some experiments failed.',
  [EXIT.interrupted]: 'it was interrupted.',
};

function toOutcome(exit: Exit, logFile: string): NightOutcome {
  const see = `See ${logFile}`;
  switch (exit.type) {
    case 'code':
      return {
        exitCode: exit.code,
        message: `${MEANING[exit.code] ?? `it failed with exit code ${exit.code}.`} ${see}`,
      };
    case 'cancelled':
      return { exitCode: EXIT.interrupted, message: `${MEANING[EXIT.interrupted]} ${see}` };
    case 'signal':
      return { exitCode: EXIT.error, message: `it was ended by ${exit.signal}. ${see}` };
    case 'timeout':
      return { exitCode: EXIT.error, message: `it took too long. ${see}` };
    case 'not-started':
      return { exitCode: EXIT.error, message: `it could not be started: ${exit.reason}` };
  }
}

async function keepNewest(folder: string, { disk }: CliContext): Promise<void> {
  const entries = await disk.list(folder);
  const logs = entries.filter(({ name }) => /^night-.*\.log$/.test(name));
  for (const { name } of logs.slice(0, Math.max(0, logs.length - KEPT_LOGS + 1))) {
    await disk.remove(joinPath(folder, name));
  }
}

/** Pulls the repository that holds the experiments: that of the first folder that is in one. */
export async function pullHome(
  home: string,
  dirs: readonly string[],
  { control, context }: { readonly control: SourceControl; readonly context: CliContext },
): Promise<void> {
  const logFile = joinPath(scheduleFolder(home), 'pull.log');
  await context.disk.remove(logFile);
  for (const dir of dirs) {
    if (!(await control.describe(dir))) continue;
    await control.pull(dir, logFile, context.signal);
    return;
  }
  throw new NightmarkError('SOURCE_PULL_FAILED', `None of ${dirs.join(', ')} is in a git repository.`, {
    hint: 'Leave "pull" out of the schedule.',
  });
}
