import { runFiles } from '../../../home/core/home-layout.ts';
import type { Disk } from '../../../platform/core/disk.ts';

/** When a night that runs wrote its journal last. */
export async function withLastSign<T extends { readonly id: string }>(
  night: T,
  home: string,
  disk: Disk,
): Promise<T & { readonly lastSignAt?: number }> {
  const journal = await disk.stat(runFiles(home, night.id).journal);
  return journal ? { ...night, lastSignAt: journal.modifiedAt } : night;
}
