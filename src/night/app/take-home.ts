import type { Home } from '../../home/core/home.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { NightEffects } from './effects.ts';

/** Takes the lock of a home; the one who is refused learns who holds it. Gives back how to let go. */
export async function takeHome(
  home: Home,
  runId: string,
  { locks, clock, holder }: NightEffects,
): Promise<() => void> {
  const { lock } = homeLayout(home.dir);
  const since = new Date(clock.now()).toISOString();
  const outcome = await locks.acquire(lock, { run: runId, pid: holder.pid, host: holder.host, since });
  if (outcome.state === 'acquired') return () => outcome.release();
  const { run, pid, host, since: heldSince } = outcome.holder;
  throw new NightmarkError(
    'RUN_LOCKED',
    `A night is running on ${home.dir}: ${run} by process ${pid} on ${host} since ${heldSince}.`,
    {
      hint: '"nightmark status" shows how far it is. Wait for it, or end it with Ctrl-C or kill.',
    },
  );
}
