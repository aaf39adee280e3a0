import { loadExecutor } from '../../executors/cli/place-options.ts';
import { type ExecutorId, isElsewhere, type RunPlace } from '../../executors/core/place.ts';
import type { Task } from '../../home/core/home.ts';
import { messageOf, NightmarkError, type Problem } from '../../platform/core/errors.ts';

/** What would keep the experiments of a home from running where they are to. */
export function checkTaskPlaces(file: string, tasks: readonly Task[]): Promise<readonly Problem[]> {
  return checkPlaces(
    file,
    tasks.flatMap(({ state, at }) => (state === 'active' && at ? [at] : [])),
  );
}

/** Clusters that give no answer from here. No image is fetched for it. The definition may still be meant for elsewhere. */
export async function checkPlaces(file: string, places: readonly RunPlace[]): Promise<readonly Problem[]> {
  const used = new Set(places.filter(isElsewhere).map(({ executor }) => executor));
  const problems = await Promise.all([...used].map((executor) => whyNotReady(executor, file)));
  return problems.flat();
}

async function whyNotReady(id: ExecutorId, file: string): Promise<readonly Problem[]> {
  try {
    const executor = await loadExecutor(id);
    await executor.ready();
    return [];
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    const { hint } = error;
    const message = `executor: ${id} cannot be used from here: ${messageOf(error)}`;
    return [{ severity: 'warning', file, message, ...(hint !== undefined && { hint }) }];
  }
}
