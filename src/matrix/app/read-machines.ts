import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { readLines } from '../../platform/core/text/read-lines.ts';
import { matrixPlaces } from './run-places.ts';

const MAX_LINE_BYTES = 1024 * 1024;

/** The machine of each test below a folder of results, as the journals of its runs say; the newest run of a test counts. */
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
