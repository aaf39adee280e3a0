import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import type { JsonObject } from '../../../../platform/core/text/json.ts';

export function busy(target: string, holder: JsonObject): NightmarkError {
  const { host, processId } = holder;
  const who = typeof host === 'string' ? ` (process ${String(processId)} on ${host})` : '';
  return new NightmarkError('PUBLISH_BUSY', `Somebody else is publishing to ${target}${who}.`, {
    hint: 'Nothing was changed. Publish again when that is done.',
  });
}

/** Failures of the disk with the path they are about. */
export async function explainDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NightmarkError || !(error instanceof Error) || !('code' in error)) throw error;
    throw new NightmarkError('PUBLISH_FAILED', `${path} could not be written or read: ${messageOf(error)}`, {
      hint: 'The earlier site is still in place. Look at the space and the permissions there.',
      cause: error,
    });
  }
}
