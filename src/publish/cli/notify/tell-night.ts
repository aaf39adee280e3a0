import type { Home } from '../../../home/core/home.ts';
import type { Store } from '../../../home/core/store.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { collectNotices, surroundingsOf } from '../../app/notify/collect-notices.ts';
import type { DeliveryReport } from '../../app/notify/deliver.ts';
import { nightBroken } from '../../core/notices/night-notice.ts';
import type { Notice } from '../../core/notices/notice.ts';
import { describeDeliveries } from './describe-notices.ts';
import { deliverFrom, failureLine } from './notify-world.ts';
import { openDestinations } from './open-destinations.ts';

interface NightWorld {
  readonly store: Store;
  readonly context: CliContext;
}

/** Tells people what a night found. Whatever becomes of it, the night stands: problems are told here and kept for later. */
export async function tellNight(home: Home, runId: string, world: NightWorld): Promise<void> {
  await tell(home, world, async () => {
    const run = await world.store.run(runId);
    return run ? collectNotices(home, run, { disk: world.context.disk, store: world.store }) : [];
  });
}

/** Who did not want the night, or has another one running, needs no notice of it. */
const NO_NEWS: ReadonlySet<string> = new Set([
  'RUN_INTERRUPTED',
  'RUN_LOCKED',
  'RUN_UNKNOWN_TASK',
  'RUN_NAME_TWICE',
]);

/** Whether a night that broke off concerns others. */
export function isNews(error: unknown, { signal }: Pick<CliContext, 'signal'>): boolean {
  return !signal.aborted && !(error instanceof NightmarkError && NO_NEWS.has(error.code));
}

/** Tells people that a night broke off. */
export async function tellBroken(home: Home, error: unknown, world: NightWorld): Promise<void> {
  const { clock } = world.context;
  if (!isNews(error, world.context)) return;
  await tell(home, world, async () => {
    const [newest] = await world.store.latestRuns({ kind: 'night', limit: 1 }).catch(() => []);
    // One that ended is another one: this night broke before it had a name.
    const run = newest?.state === 'finished' ? undefined : newest;
    const at = clock.now();
    const around = run
      ? { ...surroundingsOf(home, run), at }
      : { home: home.dir, project: home.project, runId: `${at}`, at };
    return [nightBroken(run?.label ?? new Date(at).toISOString(), messageOf(error), around)];
  });
}

async function tell(
  home: Home,
  { store, context }: NightWorld,
  collect: () => Promise<readonly Notice[]>,
): Promise<void> {
  if (home.notify === undefined || home.notify.length === 0) return;
  try {
    const destinations = await openDestinations(home.notify, context);
    const world = { home: home.dir, destinations, store, context };
    const reports = await deliverFrom(world, await collect());
    context.stderr.write(describeDeliveries(reports.filter(isWorthALine)));
  } catch (error) {
    context.stderr.write(failureLine(error));
  }
}

function isWorthALine({ messages, held, waiting, problems }: DeliveryReport): boolean {
  return messages + held + waiting + problems.length > 0;
}
