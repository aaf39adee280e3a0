import type { Home, Task } from '../../home/core/home.ts';
import type { RunOptions } from '../../home/core/journal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** The tasks of this night. Names that do not exist, or come twice, are refused before anything starts. */
export function selectTasks(
  home: Home,
  { only, skip }: Pick<RunOptions, 'only' | 'skip'>,
): {
  readonly experiments: readonly Task[];
  readonly subsystems: readonly Task[];
} {
  for (const [option, names] of [
    ['--only', only],
    ['--skip', skip],
  ] as const)
    checkNames(home, option, names ?? []);
  const selected = home.tasks.filter(({ name }) => (only?.includes(name) ?? true) && !skip?.includes(name));
  return {
    experiments: selected.filter(({ kind }) => kind === 'experiment'),
    subsystems: selected.filter(({ kind }) => kind === 'subsystem'),
  };
}

function checkNames(home: Home, option: string, names: readonly string[]): void {
  const known = home.tasks.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new NightmarkError(
      'RUN_UNKNOWN_TASK',
      `${option} names what is not in ${home.dir}: ${unknown.join(', ')}.`,
      {
        hint: `There are: ${known.join(', ')}.`,
      },
    );
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new NightmarkError('RUN_NAME_TWICE', `${option} names ${twice} twice.`);
}
