import { toPlain } from '../../../formats/core/parse-json.ts';
import { type DataEntry, isDataEntry, timestampMs } from '../../../kit/core/data-series.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { type ExactJson, parseExactJson } from '../../../platform/core/text/exact-json.ts';

/** The numbers of one night: as they were written, and to compute with. */
export interface DataFile {
  readonly exact: ExactJson;
  readonly entry: DataEntry;
}

const MAX_BYTES = 256 * 1024 * 1024;

/** The data files in a folder, oldest first. Files that are something else, or broken, are passed over. */
export async function readDataFiles(dir: string, disk: Disk): Promise<readonly DataFile[]> {
  const files: (DataFile & { readonly at: number; readonly count: number })[] = [];
  for (const { name, type } of await disk.list(dir)) {
    if (type !== 'file' || !name.endsWith('.json')) continue;
    const exact = await read(dir, name, disk);
    const entry = exact === undefined ? null : toPlain(exact);
    if (exact === undefined || !isDataEntry(entry)) continue;
    // A second night in one minute has the same timestamp; only the names of the files tell which came first.
    const count = Number(/-\d{4}-(\d+)\.json$/.exec(name)?.[1] ?? 1);
    files.push({ exact, entry, at: timestampMs(entry.timestamp), count });
  }
  return files.sort((a, b) => a.at - b.at || a.count - b.count);
}

async function read(dir: string, name: string, disk: Disk): Promise<ExactJson | undefined> {
  try {
    const text = await disk.readText(joinPath(dir, name), { maxBytes: MAX_BYTES, within: dir });
    return text === undefined ? undefined : parseExactJson(text);
  } catch (error) {
    if (error instanceof NightmarkError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
