import { EXECUTOR_IDS, type RunPlace } from '../../../executors/core/place.ts';
import { newRunId } from '../../../home/app/run-id.ts';
import type { MatrixDefinition, PlannedTest } from '../../../home/core/matrix-definition.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { readLines } from '../../../platform/core/text/read-lines.ts';
import type { MatrixRunEffects, TestResult } from './run-effects.ts';

/** Facts in the first line of the journal of a run. */
export interface RunFacts {
  readonly definition: MatrixDefinition;
  readonly fileHash: string;
  readonly version: string;
  readonly order: 'given' | 'random';
  readonly seed: number;
  readonly jobs: number;
  readonly at?: RunPlace;
}

/** The journal of a run, written while it runs. */
export interface MatrixJournal {
  readonly runId: string;
  started(folder: string): void;
  finished(result: TestResult): void;
  /** Ends the journal; an interrupted run never gets here. */
  close(outcome: JsonObject): Promise<void>;
}

/** Stops leftover processes of an interrupted run, and opens the journal of this one: facts, machine and plan first. */
export async function openJournal(
  resultsDir: string,
  tests: readonly PlannedTest[],
  { facts, effects }: { readonly facts: RunFacts; readonly effects: MatrixRunEffects },
): Promise<MatrixJournal> {
  const { disk, clock, machine } = effects;
  const places = matrixPlaces(resultsDir);
  await endLeftovers(places.current, effects);
  const runId = newRunId(clock.now(), effects.randomSeed());
  const plan = tests.map(({ experiment, settings, command }) => ({ experiment, settings, command }));
  await disk.writeText(places.plan(runId), `[\n${plan.map((test) => JSON.stringify(test)).join(',\n')}\n]\n`);
  const file = await disk.openJournal(places.journal(runId));
  const append = (record: JsonObject) => file.append(`${JSON.stringify({ ...record, at: clock.now() })}\n`);
  const { definition, at, ...more } = facts;
  const { id, name, facts: machineFacts } = await machine.probe();
  append({
    type: 'begin',
    run: runId,
    file: definition.file,
    ...more,
    ...(at && {
      executor: at.executor,
      resources: { ...at.resources },
      place: { ...at.place } as JsonObject,
    }),
    tests: tests.length,
    machine: { id, name, facts: machineFacts },
  });
  await disk.writeText(places.current, `${runId} ${effects.executor.id}\n`, { durable: true });
  return {
    runId,
    started: (folder) => append({ type: 'start', folder }),
    finished: ({ test: _, ...result }) => append({ type: 'end', ...result }),
    async close(outcome) {
      append({ type: 'finish', ...outcome });
      file.flush();
      file.close();
      await disk.remove(places.current);
    },
  };
}

/** Uses the executor of the interrupted run, which may be another one. */
async function endLeftovers(current: string, effects: MatrixRunEffects): Promise<void> {
  const [runId = '', id = ''] = ((await effects.disk.readText(current)) ?? '').trim().split(' ');
  if (runId === '') return;
  const earlier = EXECUTOR_IDS.find((known) => known === id);
  const executor =
    earlier === undefined || earlier === effects.executor.id
      ? effects.executor
      : await effects.loadExecutor(earlier);
  const count = await executor.endLeftovers(runId);
  if (count > 0)
    effects.report({
      type: 'warning',
      text: `Stopped ${count} processes that the interrupted run ${runId} left behind.`,
    });
}

const MAX_LINE_BYTES = 1024 * 1024;

/** The machine of each test below a folder of results, from the journals of its runs; the newest run of a test counts. */
export async function readMachines(resultsDir: string, disk: Disk): Promise<ReadonlyMap<string, string>> {
  const machines = new Map<string, string>();
  const dir = joinPath(matrixPlaces(resultsDir).own, 'matrix');
  const names = (await disk.list(dir)).map(({ name }) => name).filter((name) => name.endsWith('.jsonl'));
  // Ids of runs sort by time.
  for (const name of names.sort()) {
    const chunks = await disk.readChunks(joinPath(dir, name));
    if (!chunks) continue;
    let machine: string | undefined;
    for await (const line of readLines(chunks, MAX_LINE_BYTES, () => undefined)) {
      const record = recordOf(line);
      if (record === undefined) continue;
      const { type, folder } = record;
      if (type === 'begin') machine = nameOf(record['machine']);
      if (type === 'start' && typeof folder === 'string' && machine !== undefined)
        machines.set(folder, machine);
    }
  }
  return machines;
}

/** A line may be torn by a crash. */
function recordOf(line: string): Readonly<Record<string, JsonValue>> | undefined {
  try {
    const value = JSON.parse(line) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(machine: JsonValue | undefined): string | undefined {
  const name = isJsonObject(machine) ? machine['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The files of a run beside the tests. */
export function matrixPlaces(resultsDir: string) {
  const own = joinPath(resultsDir, '.nightmark');
  return {
    own,
    lock: joinPath(own, 'matrix.lock'),
    /** The id of the run in progress, or of an interrupted one. */
    current: joinPath(own, 'matrix-current'),
    journal: (runId: string) => joinPath(own, 'matrix', `${runId}.jsonl`),
    plan: (runId: string) => joinPath(own, 'matrix', `${runId}.plan.json`),
    /** Logs of earlier attempts. */
    oldLog: (folder: string, number: number) => joinPath(own, 'failed', `${folder}.${number}.log`),
  };
}
