import { homeLayout } from '../../home/core/home-layout.ts';
import type { Store } from '../../home/core/store.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { IndexHealth } from './server-view.ts';

/** Undefined while there is no index. */
export async function readIndexHealth(
  home: string,
  { disk, store }: { readonly disk: Disk; readonly store: Store | undefined },
): Promise<IndexHealth | undefined> {
  const { index, changes } = homeLayout(home);
  const [file, log, ledger] = [
    await disk.stat(index),
    await disk.stat(`${index}-wal`),
    await disk.stat(changes),
  ];
  if (!store || !file) return undefined;
  const [newest] = await store.latestRuns({ limit: 1 });
  return {
    bytes: file.size + (log?.size ?? 0),
    changedAt: Math.max(file.modifiedAt, log?.modifiedAt ?? 0),
    runs: await store.countRuns(),
    ...(newest && { newest: pick(newest) }),
    absences: (await store.absences()).length,
    changesBytes: ledger?.size ?? 0,
  };
}

function pick({ id, label, kind, state, startedAt }: NonNullable<IndexHealth['newest']>) {
  return { id, label, kind, state, startedAt };
}
