import type { Task } from '../../home/core/home.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { type ExactJson, type ExactObject, parseExactJson } from '../../platform/core/text/exact-json.ts';

/** A data file is a tree of numbers, read into memory by every old script: beyond this it is raw data. */
export const MAX_DATA_BYTES = 256 * 1024 * 1024;

/** The data.json that an analysis left in its folder; undefined where there is none. */
export async function readData(folder: string, { name }: Task, disk: Disk): Promise<ExactObject | undefined> {
  const within = { maxBytes: MAX_DATA_BYTES, within: folder };
  const text = await disk.readText(joinPath(folder, 'data.json'), within);
  return text === undefined ? undefined : parseData(text, name);
}

export function parseData(text: string, name: string): ExactObject {
  let data: ExactJson;
  try {
    data = parseExactJson(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : String(error);
    throw new NightmarkError('RUN_DATA_INVALID', `data.json produced by ${name} fails to parse: ${why}`);
  }
  if (data instanceof Map) return data;
  throw new NightmarkError('RUN_DATA_INVALID', `data.json produced by ${name} is not a JSON object`);
}
