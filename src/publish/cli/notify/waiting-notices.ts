import { homeLayout } from '../../../home/core/home-layout.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import { DeliveryLog } from '../../app/notify/delivery-log.ts';

const EVERY_MS = 15 * 60_000;

/** Sends what waits, every quarter of an hour: quiet hours end, and receivers become available again. Never fails. */
export function waitingNotices(home: string, context: CliContext): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    const now = context.clock.now();
    if (now < nextAt) return;
    nextAt = now + EVERY_MS;
    try {
      await sendWaiting(home, context);
    } catch (error) {
      context.stderr.write(`Waiting notices could not be sent: ${messageOf(error)}\n`);
    }
  };
}

async function sendWaiting(home: string, context: CliContext): Promise<void> {
  if ((await context.disk.stat(homeLayout(home).notices)) === undefined) return;
  const { log } = await DeliveryLog.open(home, context.disk);
  if (log.isComplete) return;
  const { readHome } = await import('../../../home/config/read-home.ts');
  const { describeDeliveries, openDestinations, sendNotices } = await import('./send-notices.ts');
  const { withHomeStore } = await import('../../../judge/cli/changes/open-home.ts');
  const { home: definition } = await readHome(home, {}, context);
  const destinations = await openDestinations(definition.notify ?? [], context);
  const reports = await withHomeStore(home, context, (store) =>
    sendNotices({ home, destinations, store, context }, []),
  );
  // The night has reported already what still does not arrive.
  context.stderr.write(describeDeliveries(reports.filter(({ messages }) => messages > 0)));
}
