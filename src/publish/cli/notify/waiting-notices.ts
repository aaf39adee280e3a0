import { homeLayout } from '../../../home/core/home-layout.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import { NoticeBook } from '../../app/notify/notice-book.ts';
import { describeDeliveries } from './describe-notices.ts';

const EVERY_MS = 15 * 60_000;

/** Sends what waits, every quarter of an hour: quiet hours end, and receivers come back. Never fails. */
export function waitingNotices(home: string, context: CliContext): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    const now = context.clock.now();
    if (now < nextAt) return;
    nextAt = now + EVERY_MS;
    try {
      await sendWaiting(home, context);
    } catch (error) {
      context.stderr.write(`Notices that wait could not be sent: ${messageOf(error)}\n`);
    }
  };
}

async function sendWaiting(home: string, context: CliContext): Promise<void> {
  if ((await context.disk.stat(homeLayout(home).notices)) === undefined) return;
  const { book } = await NoticeBook.open(home, context.disk);
  if (book.isEverythingTold) return;
  const { readHome } = await import('../../../home/config/read-home.ts');
  const { openDestinations } = await import('./open-destinations.ts');
  const { deliverFrom } = await import('./notify-world.ts');
  const { withHomeStore } = await import('../../../judge/cli/changes/open-home.ts');
  const { home: definition } = await readHome(home, {}, context);
  const destinations = await openDestinations(definition.notify ?? [], context);
  const reports = await withHomeStore(home, context, (store) =>
    deliverFrom({ home, destinations, store, context }, []),
  );
  // What still does not arrive was told by the night.
  context.stderr.write(describeDeliveries(reports.filter(({ messages }) => messages > 0)));
}
