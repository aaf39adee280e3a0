import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';

/** Nothing is written for so long without a change of its file: whoever wrote it is gone. */
const STALE_MS = 3_600_000;

/** Takes away what processes that died left unfinished; others, a submission that packs its code, may be at work there. */
export async function clearStaging(
  staging: string,
  { disk, clock }: { readonly disk: Disk; readonly clock: Pick<Clock, 'now'> },
): Promise<void> {
  for (const { name } of await disk.list(staging)) {
    const path = joinPath(staging, name);
    const facts = await disk.stat(path);
    // What is there without facts is a link that leads nowhere.
    if (facts === undefined || facts.changedAt < clock.now() - STALE_MS) await disk.remove(path);
  }
}
