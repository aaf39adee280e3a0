import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { indexName } from '../../formats/core/kpi/payload-files.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Store } from '../../home/core/store.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { writePayloads } from './write-payloads.ts';

interface StoreEffects {
  readonly disk: Disk;
  readonly clock: Pick<Clock, 'now'>;
  readonly store: Store;
}

/** Keeps payloads in a home: as files, which `reindex` reads again, and in its store. They must have passed their check. */
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
