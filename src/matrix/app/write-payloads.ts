import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { ANCHOR, anchorText, payloadFileName, payloadText } from '../../formats/core/kpi/payload-files.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';

interface PayloadFolder {
  /** Absolute. */
  readonly dir: string;
  /** First part of the names of the files. */
  readonly index: string;
  readonly filters: readonly string[];
}

/** Writes each payload as a file of its own: a test that is there already is replaced. The anchor comes last. */
export async function writePayloads(
  payloads: readonly Payload[],
  { dir, index, filters }: PayloadFolder,
  { disk, clock }: { readonly disk: Disk; readonly clock: Pick<Clock, 'now'> },
): Promise<void> {
  for (const payload of payloads) {
    await disk.writeText(joinPath(dir, payloadFileName(index, payload)), payloadText(payload));
  }
  await disk.writeText(joinPath(dir, ANCHOR), anchorText({ index, at: clock.now(), filters }));
}
