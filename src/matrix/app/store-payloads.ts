import type { Payload } from '../../formats/core/kpi/kpi.ts';
import {
  ANCHOR,
  anchorText,
  indexName,
  payloadFileName,
  payloadText,
} from '../../formats/core/kpi/payload-files.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Store } from '../../home/core/store.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';

interface StoreEffects {
  readonly disk: Disk;
  readonly clock: Pick<Clock, 'now'>;
  readonly store: Store;
}

/** Stores valid payloads in a home: as files, which `reindex` reads, and in its index. */
export async function storePayloads(
  payloads: readonly Payload[],
  { home, workload }: { readonly home: string; readonly workload: string },
  { disk, clock, store }: StoreEffects,
): Promise<void> {
  const index = indexName(workload);
  await writePayloads(
    payloads,
    { dir: homeLayout(home).payloads(index), index, filters: [] },
    { disk, clock },
  );
  await store.savePayloads(payloads);
}

interface PayloadFolder {
  /** Absolute. */
  readonly dir: string;
  /** First part of the names of the files. */
  readonly index: string;
  readonly filters: readonly string[];
}

/** Writes each payload as a file of its own, replacing an earlier one of the test. The anchor comes last. */
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
