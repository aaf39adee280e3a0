import type { Home, Problem, Task } from '../core/model/home.ts';
import { joinPath } from '../core/path.ts';
import type { Disk } from '../core/ports/disk.ts';
import type { Definitions, TaskDefinition } from './inspection.ts';

const SCRIPTS = {
  experiment: ['run.sh', 'analyze.sh', 'visualize.sh', 'summarize.sh'],
  subsystem: ['run.sh'],
} as const;

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
    else problems.push(...(await checkFolder(task, dir, disk)));
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

async function checkFolder(task: Task, dir: string, disk: Disk): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const missing: string[] = [];
  for (const script of SCRIPTS[task.kind]) {
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
