import type { Payload } from '../../../formats/core/kpi/kpi.ts';
import { payloadMachine } from '../../../formats/core/kpi/read-payload.ts';
import type { Store } from '../../../home/core/store.ts';

/** Where runs and tests were measured; each is looked up once. */
export interface MachineLookup {
  /** Name of the machine of a night, or else its id; "unknown" where old data do not say it, undefined: no such run. */
  ofRun(runId: string): Promise<string | undefined>;
  /** Undefined where its document names no machine. */
  ofTest(testId: string, at: number): Promise<string | undefined>;
}

export function machineLookup(store: Store): MachineLookup {
  const runs = new Map<string, Promise<string | undefined>>();
  const tests = new Map<string, Promise<string | undefined>>();
  return {
    ofRun: (runId) => once(runs, runId, () => machineOfRun(runId, store)),
    ofTest: (testId, at) =>
      once(tests, testId, async () => {
        const payload = await payloadOf(testId, at, store);
        return payload && payloadMachine(payload);
      }),
  };
}

/** Tests that begin at the same time. */
const AT_ONCE = 1_000;

/** The document of a test that began then. */
export async function payloadOf(testId: string, at: number, store: Store): Promise<Payload | undefined> {
  const payloads = await store.payloads({ from: at, to: at, limit: AT_ONCE });
  return payloads.find(({ metadata }) => metadata.test_uuid === testId);
}

async function machineOfRun(runId: string, store: Store): Promise<string | undefined> {
  const run = await store.run(runId);
  if (!run) return undefined;
  return run.machineId === undefined
    ? 'unknown'
    : ((await store.machine(run.machineId))?.name ?? run.machineId);
}

function once<T>(cache: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const found = cache.get(key) ?? find();
  cache.set(key, found);
  return found;
}
