import { homeLayout } from '../../../home/core/home-layout.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Locks } from '../../../platform/core/lock.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';

/** Runs the work as the only schedule of the home; a second one is refused with who is the first. */
export async function holdSchedule<T>(
  home: string,
  { locks, holder }: { readonly locks?: Locks | undefined; readonly holder: JsonObject },
  work: () => Promise<T>,
): Promise<T> {
  if (!locks) return work();
  const outcome = await locks.acquire(joinPath(homeLayout(home).own, 'schedule.lock'), holder);
  if (outcome.state === 'held')
    throw new NightmarkError(
      'SCHEDULE_HELD',
      `${home} is scheduled already, by ${describe(outcome.holder)}.`,
      {
        hint: 'Stop that one first, or leave the schedule to it.',
      },
    );
  try {
    return await work();
  } finally {
    outcome.release();
  }
}

function describe({ pid, host }: JsonObject): string {
  if (pid === undefined) return 'another process';
  return `process ${String(pid)}${host === undefined ? '' : ` on ${String(host)}`}`;
}
