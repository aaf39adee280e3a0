import type { Deadline } from '../../../home/core/deadlines.ts';
import { pythonFixed } from '../../../platform/core/text/python-rounding.ts';
import type { SlackMessage } from '../../../publish/core/notices/notifier.ts';
import { attachment, field, GREEN, pings, RED } from './slack-parts.ts';

const DAY_SECONDS = 86_400;
/** So many whole days before, a deadline is red and its people are told. */
const ALERT_DAYS = 7;

/** What is still to come; undefined when all is over. One that is now is still to come. */
export function deadlineMessage(deadlines: readonly Deadline[], now: number): SlackMessage | undefined {
  const attachments = deadlines.filter(({ at }) => at >= now).map((deadline) => attachmentOf(deadline, now));
  return attachments.length === 0 ? undefined : { text: '*Upcoming Deadlines*', attachments };
}

function attachmentOf({ name, date, at, ping }: Deadline, now: number) {
  const seconds = Math.floor((at - now) / 1000);
  const days = Math.floor(seconds / DAY_SECONDS);
  const hours = pythonFixed((seconds - days * DAY_SECONDS) / 3600, 2);
  const isNear = days <= ALERT_DAYS;
  const left = field(`${days} days, ${hours} hours left`);
  return attachment({
    color: isNear ? RED : GREEN,
    title: name,
    fields: isNear && ping.length > 0 ? [left, field(`Beware ${pings(ping)}!`)] : [left],
    text: `Deadline: ${date}`,
  });
}
