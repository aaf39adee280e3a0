import { NECESSARY_SCRIPTS, type Task } from '../../home/core/home.ts';
import { failure, type Status, success } from '../../home/core/status.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';

/** The precheck of a task, with the words of the original. */
export async function checkTask(task: Task, disk: Disk): Promise<Status> {
  try {
    return await check(task, disk);
  } catch (error) {
    // A folder that cannot be looked into is this task's trouble alone.
    if (!(error instanceof NightmarkError)) throw error;
    return failure(error.message);
  }
}

async function check(task: Task, disk: Disk): Promise<Status> {
  if (task.state === 'broken') return failure(task.problem ?? `${task.name} is broken`);
  if (task.state === 'inactive') return success('Inactive');
  const { implementation, name } = task;
  if (implementation.type !== 'scripts') return success();
  const { dir } = implementation;
  if (dir === undefined) return failure(`Script subdirectory for ${name} missing`);

  const missing: string[] = [];
  for (const script of NECESSARY_SCRIPTS[task.kind]) {
    if (!(await disk.isExecutable(joinPath(dir, script)))) missing.push(script);
  }
  if (missing.length === 0) return success();
  return failure(`Necessary files are missing from ${dir} or not executable: ${missing.join(', ')}`);
}
