import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';

/** The home that a command was given, the current folder if none; it must be a folder. */
export async function homeArgument(given: string | undefined, { cwd, disk }: CliContext): Promise<string> {
  const home = resolvePath(cwd, given ?? '.');
  const facts = await disk.stat(home);
  if (facts?.type === 'folder') return home;
  throw new NightmarkError('CLI_NO_HOME', facts ? `${home} is no folder.` : `There is no folder ${home}.`, {
    hint: `Make a home there: nightmark init ${given ?? home}`,
  });
}
