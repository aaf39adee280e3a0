import type { Executor } from '../../executors/core/executor.ts';
import type { ExecutorId } from '../../executors/core/place.ts';
import type { Home, Task } from '../../home/core/home.ts';
import { failure, type Status, success } from '../../home/core/status.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import type { NightEffects } from './night-effects.ts';

type Effects = Pick<NightEffects, 'executor' | 'loadExecutor'>;

/** The executor of the stages of a task. */
export async function taskExecutor({ at }: Task, effects: Effects): Promise<Executor> {
  if (at === undefined || at.executor === effects.executor.id) return effects.executor;
  return effects.loadExecutor(at.executor);
}

/** Whether the stages of a task could run where they are to; an image that is missing is fetched. */
export async function checkPlace(task: Task, effects: Effects): Promise<Status> {
  if (task.at === undefined || task.at.executor === effects.executor.id) return success();
  try {
    const executor = await taskExecutor(task, effects);
    await executor.ready(task.at.place.container);
    return success();
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    const hint = error.hint === undefined ? '' : ` ${error.hint}`;
    return failure(`${messageOf(error)}${hint}`);
  }
}

/** Ends what a night left behind, wherever tasks of the home run; how many processes that were. */
export async function endEverywhere(
  runId: string,
  home: Home,
  effects: Effects & Pick<NightEffects, 'report'>,
): Promise<number> {
  let count = await effects.executor.endLeftovers(runId);
  for (const id of otherExecutors(home, effects)) {
    try {
      const executor = await effects.loadExecutor(id);
      await executor.ready();
      count += await executor.endLeftovers(runId);
    } catch (error) {
      // An executor that cannot be reached now ran nothing, or is tried again by the next night.
      if (!(error instanceof NightmarkError)) throw error;
      effects.report({
        type: 'warning',
        text: `Processes left behind by ${id} could not be checked: ${messageOf(error)}`,
      });
    }
  }
  return count;
}

function otherExecutors({ tasks }: Home, { executor }: Effects): readonly ExecutorId[] {
  const used = tasks.flatMap(({ at, state }) => (at && state === 'active' ? [at.executor] : []));
  return [...new Set(used)].filter((id) => id !== executor.id);
}
