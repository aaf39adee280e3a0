import type { SourceControl } from '../../../git/core/source-control.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { scheduleFolder } from './night-process.ts';

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
