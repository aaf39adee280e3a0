import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';

const DEFINITIONS = ['config.json', 'config/config.json', 'nightmark.yml', 'nightmark.yaml'];

/** Refuses a folder that is no home, before anything is done with it. */
export async function requireHome(dir: string, disk: Disk): Promise<string> {
  for (const file of DEFINITIONS) if (await disk.stat(joinPath(dir, file))) return dir;
  throw new NightmarkError('CLI_NO_HOME', `${dir} is no home: it has none of ${DEFINITIONS.join(', ')}.`, {
    hint: 'Name the folder of a home, or make one with "nightmark init".',
  });
}
