import { joinPath } from '../../platform/core/path.ts';
import type { JobSpec } from './job.ts';
import { shortId } from './job-id.ts';

/** Where a job leaves its files, relative to the folder of results. */
export function jobFolder({ project, experiment, name, id }: JobSpec): string {
  return joinPath(folderName(project), folderName(experiment), `${folderName(name)}_${shortId(id)}`);
}

/** Files of one job, below its folder. */
export function jobFiles(folder: string, rank: number) {
  return {
    code: joinPath(folder, 'code'),
    output: joinPath(folder, rank === 0 ? 'output.txt' : `output.worker${rank}.txt`),
    events: joinPath(folder, `events.${rank}.ndjson`),
    overrides: joinPath(folder, `overrides.${rank}.json`),
    config: joinPath(folder, 'config.yml'),
  };
}

/** One name of a folder that every file system takes; names that are fine stay as they are. */
function folderName(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a name
  const safe = text.replace(/[/\\\u0000-\u001f\u007f]/g, '_').slice(0, 120);
  return safe === '' || safe === '.' || safe === '..' ? `_${safe}` : safe;
}
