import type { Home } from '../../../home/core/home.ts';
import type { Store } from '../../../home/core/store.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { collectNotices, surroundingsOf } from '../../app/notify/collect-notices.ts';
import type { DeliveryReport } from '../../app/notify/deliver.ts';
import type { Notice } from '../../core/notices/notice.ts';
import { nightBroken } from '../../core/notices/run-notices.ts';
import { describeDeliveries, failureLine, openDestinations, sendNotices } from './send-notices.ts';

interface NightWorld {
  readonly store: Store;
  readonly context: CliContext;
}

/** Sends the notices of a night that ended. Problems never fail the night: they are printed and kept for later. */
export async function notifyRunFinished(home: Home, runId: string, world: NightWorld): Promise<void> {
  await notify(home, world, async () => {
    const run = await world.store.run(runId);
    return run ? collectNotices(home, run, { disk: world.context.disk, store: world.store }) : [];
  });
}

/** Errors that concern only whoever started the night. */
const NOT_REPORTED: ReadonlySet<string> = new Set([
  'RUN_INTERRUPTED',
  'RUN_LOCKED',
  'RUN_UNKNOWN_TASK',
  'RUN_NAME_TWICE',
]);

/** Whether other people should know that a night broke off. */
export function isWorthReporting(error: unknown, { signal }: Pick<CliContext, 'signal'>): boolean {
  return !signal.aborted && !(error instanceof NightmarkError && NOT_REPORTED.has(error.code));
}

/** Sends the notice that a night broke off. */
export async function notifyRunFailed(home: Home, error: unknown, world: NightWorld): Promise<void> {
  const { clock } = world.context;
  if (!isWorthReporting(error, world.context)) return;
  await notify(home, world, async () => {
    const [newest] = await world.store.latestRuns({ kind: 'night', limit: 1 }).catch(() => []);
    // A finished run is an earlier one: this night broke before it had an id.
    const run = newest?.state === 'finished' ? undefined : newest;
    const at = clock.now();
    const around = run
      ? { ...surroundingsOf(home, run), at }
      : { home: home.dir, project: home.project, runId: `${at}`, at };
    return [nightBroken(run?.label ?? new Date(at).toISOString(), messageOf(error), around)];
  });
}

async function notify(
  home: Home,
  { store, context }: NightWorld,
  collect: () => Promise<readonly Notice[]>,
): Promise<void> {
  if (home.notify === undefined || home.notify.length === 0) return;
  try {
    const destinations = await openDestinations(home.notify, context);
    const world = { home: home.dir, destinations, store, context };
    const reports = await sendNotices(world, await collect());
    context.stderr.write(describeDeliveries(reports.filter(hasOutcome)));
  } catch (error) {
    context.stderr.write(failureLine(error));
  }
}

function hasOutcome({ messages, held, waiting, problems }: DeliveryReport): boolean {
  return messages + held + waiting + problems.length > 0;
}
