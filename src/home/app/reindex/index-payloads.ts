import type { Payload } from '../../../formats/core/kpi/kpi.ts';
import { isPayloadFile } from '../../../formats/core/kpi/payload-files.ts';
import { asPayload } from '../../../formats/core/kpi/read-payload.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { filesIn, foldersIn, inGroups, readWhole } from './files.ts';
import type { Progress, ReindexEffects } from './progress.ts';

const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

/** The payloads of matrix tests that were kept in this home. */
export async function indexPayloads(
  dir: string,
  progress: Progress,
  { disk, store }: ReindexEffects,
): Promise<void> {
  for (const workload of await foldersIn(dir, disk, progress)) {
    const folder = joinPath(dir, workload);
    const names = (await filesIn(folder, disk, progress)).filter(isPayloadFile);
    await inGroups(store, names, async (name) => {
      const payload = await progress.attempt(joinPath(folder, name), async () =>
        payloadOf(JSON.parse(await readWhole(folder, name, disk, MAX_PAYLOAD_BYTES)) as JsonValue),
      );
      if (!payload) return;
      await store.savePayloads([payload]);
      progress.count('payloads');
    });
  }
}

function payloadOf(document: JsonValue): Payload {
  const read = asPayload(document);
  if ('reason' in read) throw new Error(`It is no payload: ${read.reason}.`);
  return read.payload;
}
