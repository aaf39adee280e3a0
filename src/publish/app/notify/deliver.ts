import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { Notice } from '../../core/notices/notice.ts';
import { type PlannedMessage, planMessages } from '../../core/notices/plan-messages.ts';
import { markOf } from '../../core/notices/told.ts';
import type { NoticeBook } from './notice-book.ts';
import type { Destination, NotifyEffects } from './notify-effects.ts';
import { type SendOutcome, sendMessage } from './send-message.ts';
import { takeIn } from './take-in.ts';

/** How it went for one destination. */
export interface DeliveryReport {
  readonly destination: string;
  /** Messages that arrived, and the notices in them. */
  readonly messages: number;
  readonly notices: number;
  /** Notices that wait: for the end of quiet hours, or for the next time. */
  readonly held: number;
  readonly waiting: number;
  readonly problems: readonly string[];
}

/** All of it together: a night must not wait for its notices for ever. */
const LONGEST_MS = 120_000;

/** Tells every destination what it wants to know and does not know yet. What does not arrive is kept. */
export async function deliver(
  notices: readonly Notice[],
  { destinations, book }: { readonly destinations: readonly Destination[]; readonly book: NoticeBook },
  effects: NotifyEffects,
): Promise<readonly DeliveryReport[]> {
  book.keepOnly(new Set(destinations.map(({ name }) => name)));
  const deadline = effects.clock.now() + LONGEST_MS;
  return Promise.all(destinations.map((it) => deliverTo(it, { notices, book, deadline }, effects)));
}

interface Round {
  readonly notices: readonly Notice[];
  readonly book: NoticeBook;
  readonly deadline: number;
}

async function deliverTo(
  destination: Destination,
  round: Round,
  effects: NotifyEffects,
): Promise<DeliveryReport> {
  const { name } = destination;
  const own = round.book.of(name);
  const problems: string[] = [];
  const complain = (message: string) => {
    problems.push(message);
    round.book.addProblem({ at: effects.clock.now(), destination: name, message });
  };
  const { pending, ready, dropped } = takeIn(destination, round, effects.clock);
  own.pending = pending;
  const held = pending.length - ready.length;
  if (dropped > 0) complain(`${dropped} notices that waited had to make room.`);
  await round.book.save();
  let [messages, told] = [0, 0];
  for (const planned of planMessages(ready, own.told, destination.connection.supports)) {
    if (effects.clock.now() > round.deadline) break; // the rest is for the next time
    const outcome = await sendSafely(planned, { destination, deadline: round.deadline }, effects);
    for (const problem of outcome.problems) complain(problem);
    if (outcome.state === 'kept') {
      await round.book.save();
      break; // the next one would meet the same
    }
    settle(planned, outcome, { own, now: effects.clock.now() });
    if (outcome.state === 'sent') {
      messages++;
      told += planned.covers.length;
    }
    await round.book.save();
  }
  const waiting = own.pending.length - held;
  return { destination: name, messages, notices: told, held, waiting, problems };
}

async function sendSafely(
  planned: PlannedMessage,
  way: { readonly destination: Destination; readonly deadline: number },
  effects: NotifyEffects,
): Promise<SendOutcome> {
  const { obstacle } = way.destination;
  if (obstacle !== undefined) return { state: 'kept', problems: [obstacle] };
  try {
    return await sendMessage(planned, way, effects);
  } catch (error) {
    // Settings that cannot be; all else is a mistake of ours and must not fail a night either.
    const hint = error instanceof NightmarkError && error.hint !== undefined ? ` ${error.hint}` : '';
    return { state: 'kept', problems: [`${messageOf(error)}${hint}`] };
  }
}

/** Writes down what was told, and forgets that it waited. */
function settle(
  { covers, isDigest }: PlannedMessage,
  outcome: Extract<SendOutcome, { state: 'sent' | 'dropped' }>,
  { own, now }: { readonly own: ReturnType<NoticeBook['of']>; readonly now: number },
): void {
  const done = new Set(covers.map(({ topic }) => topic));
  own.pending = own.pending.filter(({ notice }) => !done.has(notice.topic));
  for (const notice of covers) {
    const receipt = outcome.state === 'sent' ? outcome.receipt : undefined;
    own.told.delete(notice.topic); // to its end
    own.told.set(notice.topic, {
      state: notice.state,
      mark: markOf(notice),
      at: now,
      ...(receipt !== undefined && { receipt }),
      ...(isDigest && { isDigest }),
    });
  }
}
