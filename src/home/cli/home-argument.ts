import type { CliContext } from '../../platform/cli/command.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';

/** The home that a command was given, the current folder if none; it must be a folder. */
export async function homeArgument(given: string | undefined, { cwd, disk }: CliContext): Promise<string> {
  const home = resolvePath(cwd, given ?? '.');
  const facts = await disk.stat(home);
  if (facts?.type === 'folder') return home;
  throw new NightmarkError(
    'CLI_NO_HOME',
    facts ? `${home} is not a folder.` : `There is no folder ${home}.`,
    {
      hint: `Make a home there: nightmark init ${given ?? home}`,
    },
  );
}

const DEFINITIONS = ['config.json', 'config/config.json', 'nightmark.yml', 'nightmark.yaml'];

/** Refuses a folder that is not a home, before anything is done with it. */
export async function requireHome(dir: string, disk: Disk): Promise<string> {
  for (const file of DEFINITIONS) if (await disk.stat(joinPath(dir, file))) return dir;
  throw new NightmarkError('CLI_NO_HOME', `${dir} is not a home: it has none of ${DEFINITIONS.join(', ')}.`, {
    hint: 'Name the folder of a home, or make one with "nightmark init".',
  });
}

/** Whether a key is in the definition of a home: the reader of definitions is large, and often need not be loaded. */
export async function definitionMentions(
  home: string,
  key: string,
  { disk }: Pick<CliContext, 'disk'>,
): Promise<boolean> {
  for (const file of DEFINITIONS) {
    const text = await disk.readText(joinPath(home, file));
    if (text?.includes(key)) return true;
  }
  return false;
}
