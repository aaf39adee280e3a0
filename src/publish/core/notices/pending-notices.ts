import { type NotifyRoute, type QuietHours, SEVERITIES } from '../../../home/core/home.ts';
import { crossingPattern } from '../../../platform/core/patterns/glob.ts';
import { textHash } from '../../../platform/core/text/change-hash.ts';
import type { WallTime } from '../../../platform/core/text/times.ts';
import { isAtLeast, isClosing, type Notice, type NoticeState } from './notice.ts';

/** The last message about a topic that reached a destination. */
export interface Delivery {
  readonly state: NoticeState;
  /** Hash of the content. */
  readonly mark: string;
  readonly at: number;
  /** Names the message at the receiver; absent: it gives none. */
  readonly receipt?: string;
  /** The message was about other topics, too. */
  readonly isDigest?: boolean;
}

/** By topic, the least recently updated first. */
export type Deliveries = ReadonlyMap<string, Delivery>;

/** What is still to be sent to a destination. */
export interface Pending {
  readonly notice: Notice;
  readonly since: number;
  /** Held back until the end of quiet hours. */
  readonly isHeld: boolean;
}

/** Equal for notices of equal content. */
export function fingerprintOf({ title, text, facts, severity }: Notice): string {
  return textHash(JSON.stringify([severity, title, text, facts]));
}

/** The earlier message that a notice continues; a closed topic begins anew. */
export function earlierOf({ topic, state }: Notice, deliveries: Deliveries): Delivery | undefined {
  const earlier = deliveries.get(topic);
  return earlier && isClosing(earlier.state) && !isClosing(state) ? undefined : earlier;
}

export interface Subscriber {
  readonly route: Pick<NotifyRoute, 'experiments' | 'severity' | 'events'>;
  readonly deliveries: Deliveries;
  /** A message can be edited in place, which disturbs nobody. */
  readonly canUpdate: boolean;
}

/** Whether a destination gets a notice: never the same twice, and always the later states of a topic that it knows. */
export function isWanted(notice: Notice, { route, deliveries, canUpdate }: Subscriber): boolean {
  const earlier = earlierOf(notice, deliveries);
  if (earlier && earlier.state !== notice.state) return true;
  if (earlier)
    return (
      canUpdate &&
      earlier.isDigest !== true &&
      earlier.receipt !== undefined &&
      earlier.mark !== fingerprintOf(notice)
    );
  return notice.isAfterthought !== true && fits(notice, route);
}

function fits({ event, severity, experiment }: Notice, route: Subscriber['route']): boolean {
  if (!isAtLeast(severity, route.severity)) return false;
  if (!route.events.some((it) => it === event)) return false;
  if (route.experiments.length === 0) return true;
  return (
    experiment !== undefined && route.experiments.some((pattern) => crossingPattern(pattern).test(experiment))
  );
}

export interface Merged {
  readonly pending: readonly Pending[];
  /** How many of the oldest were dropped because there were too many. */
  readonly dropped: number;
}

const MOST_PENDING = 500;

/** The newest notice of each topic. A topic that closed before its first message is not sent at all. */
export function mergePending(
  before: readonly Pending[],
  notices: readonly Notice[],
  { deliveries, now }: { readonly deliveries: Deliveries; readonly now: number },
): Merged {
  const merged = new Map(before.map((it) => [it.notice.topic, it]));
  for (const notice of notices) {
    const earlier = merged.get(notice.topic);
    const isUnsent = earlier !== undefined && earlierOf(notice, deliveries) === undefined;
    if (isUnsent && isClosing(notice.state)) merged.delete(notice.topic);
    else merged.set(notice.topic, { notice, since: earlier?.since ?? now, isHeld: earlier?.isHeld ?? false });
  }
  const all = [...merged.values()];
  const dropped = Math.max(0, all.length - MOST_PENDING);
  return { pending: all.slice(dropped), dropped };
}

/** Whether quiet hours include this local time. */
export function isQuiet(
  { hours, weekends }: Omit<QuietHours, 'except'>,
  { weekday, hour, minute }: Pick<WallTime, 'weekday' | 'hour' | 'minute'>,
): boolean {
  if (weekends && (weekday === 0 || weekday === 6)) return true;
  if (!hours) return false;
  const now = hour * 60 + minute;
  const { from, until } = hours;
  return from <= until ? now >= from && now < until : now >= from || now < until;
}

/** Whether a notice is sent in quiet hours all the same. That a topic is closed can wait. */
export function passesQuiet(
  { event, severity, state }: Pick<Notice, 'event' | 'severity' | 'state'>,
  { except }: Pick<QuietHours, 'except'>,
): boolean {
  if (isClosing(state)) return false;
  const least = SEVERITIES.find((one) => except.includes(one));
  return except.some((one) => one === event) || (least !== undefined && isAtLeast(severity, least));
}

/** The local time in a time zone whose name was checked. */
export function wallIn(timezone: string, at: number): Pick<WallTime, 'weekday' | 'hour' | 'minute'> {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    weekday: WEEKDAYS.indexOf(parts.get('weekday') ?? ''),
    hour: Number(parts.get('hour')),
    minute: Number(parts.get('minute')),
  };
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
