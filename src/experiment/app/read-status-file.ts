import type { StatusFile } from '../../home/core/status.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';

/** A status is a few lines; whatever is larger is no status. */
export const MAX_STATUS_BYTES = 1024 * 1024;

/** The status.json of a stage. */
export async function readStatusFile(folder: string, disk: Disk): Promise<StatusFile> {
  try {
    const path = joinPath(folder, 'status.json');
    const text = await disk.readText(path, { maxBytes: MAX_STATUS_BYTES, within: folder });
    return text === undefined ? { state: 'missing' } : { state: 'text', text };
  } catch (error) {
    if (!concernsOneStage(error)) throw error;
    return { state: 'unusable', reason: messageOf(error) };
  }
}

/** Failures that concern one stage only. A full disk or an interrupt concerns the whole night. */
export function concernsOneStage(error: unknown): boolean {
  return error instanceof NightmarkError && error.code !== 'DISK_FULL' && error.code !== 'RUN_INTERRUPTED';
}
