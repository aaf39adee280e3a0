import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { Problem } from '../../platform/core/problem.ts';
import { type Home, NECESSARY_SCRIPTS, type Task } from '../core/home.ts';
import type { Definitions, TaskDefinition } from './inspection.ts';

/** What the precheck of the next night would say about the scripts of active tasks. */
export async function checkScripts(
  home: Home,
  { tasks }: Definitions,
  disk: Disk,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const place of tasks) {
    const { task } = place;
    if (task.state !== 'active' || task.implementation.type !== 'scripts') continue;
    const { dir } = task.implementation;
    if (dir === undefined) problems.push(noFolder(place, home));
    else problems.push(...(await checkReadable(task, dir, disk)));
  }
  return problems;
}

function noFolder({ task, definition, path }: TaskDefinition, { folders }: Home): Problem {
  const searched = task.kind === 'experiment' ? folders.experiments : folders.subsystems;
  return {
    severity: 'error',
    file: definition?.file ?? task.configDir,
    ...definition?.positionOf(path, 'key'),
    message: `Script subdirectory for ${task.name} missing`,
    hint: `Looked for ${searched.map((folder) => joinPath(folder, task.name)).join(', ')}.`,
  };
}

/** A folder that cannot be looked into is one problem among others. */
async function checkReadable(task: Task, dir: string, disk: Disk): Promise<readonly Problem[]> {
  try {
    return await checkFolder(task, dir, disk);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    const { message, hint } = error;
    return [{ severity: 'error', file: dir, message, ...(hint !== undefined && { hint }) }];
  }
}

async function checkFolder(task: Task, dir: string, disk: Disk): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const missing: string[] = [];
  for (const script of NECESSARY_SCRIPTS[task.kind]) {
    if (!(await disk.isExecutable(joinPath(dir, script)))) missing.push(script);
  }
  if (missing.length > 0) {
    problems.push({
      severity: 'error',
      file: dir,
      message: `Necessary files are missing from ${dir} or not executable: ${missing.join(', ')}`,
      hint: `Scripts that are there need: chmod +x ${missing.join(' ')}`,
    });
  }
  const setup = joinPath(dir, 'setup.sh');
  if (task.kind === 'experiment' && (await disk.stat(setup)) && !(await disk.isExecutable(setup))) {
    const message = 'setup.sh is not executable and will not run';
    problems.push({ severity: 'warning', file: setup, message, hint: `chmod +x ${setup}` });
  }
  return problems;
}
