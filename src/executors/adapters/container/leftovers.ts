import { NightmarkError } from '../../../platform/core/errors.ts';
import { callEngine, ENGINES, isInstalled } from './engine.ts';

/** What we write on our containers, to know them again. */
export const RUN_LABEL = 'nightmark.run';

/** Removes the containers of a run, whichever engine runs them. Returns how many. */
export async function endLeftovers(runId: string): Promise<number> {
  let count = 0;
  for (const engine of ENGINES.filter(isInstalled)) {
    for (const id of await containersOf(engine, runId)) {
      if ((await callEngine(engine, ['rm', '-f', '-v', id])).code === 0) count++;
    }
  }
  return count;
}

/** An engine that gives no answer has none. */
async function containersOf(engine: string, runId: string): Promise<readonly string[]> {
  const filter = `label=${RUN_LABEL}=${runId}`;
  try {
    const { code, stdout } = await callEngine(engine, ['ps', '-a', '-q', '--no-trunc', '--filter', filter]);
    return code === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
  } catch (error) {
    if (error instanceof NightmarkError) return [];
    throw error;
  }
}
