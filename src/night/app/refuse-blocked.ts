import type { Task } from '../../home/core/home.ts';
import type { Night } from './night.ts';
import { failStage } from './run-stage.ts';
import { trialOf } from './trials.ts';

/** Fails a task whose dependencies did not succeed; true when it did so (now or before an interruption). */
export async function refuseBlocked(night: Night, task: Task): Promise<boolean> {
  if (task.after.length === 0) return false;
  const all = [...night.experiments, ...night.subsystems];
  for (const name of task.after) {
    const needed = all.find((other) => other.name === name);
    // Not part of this night (--only): its earlier results have to do.
    if (!needed) continue;
    const { state, failedStage } = trialOf(needed, night.run.id, night.book);
    if (state !== 'failed' && state !== 'inactive') continue;
    const how = state === 'failed' ? `failed at stage ${failedStage}` : 'is inactive';
    if (!night.book.result(task, 'run')) await failStage(night, task, 'run', `Needs ${name}, which ${how}`);
    return true;
  }
  return false;
}
