import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { Notice } from '../../core/notices/notice.ts';
import type { NoticePicture, OutgoingMessage, Sent } from '../../core/notices/notifier.ts';
import { fingerprintOf } from '../../core/notices/pending-notices.ts';
import { type PlannedMessage, planMessages, type Step } from '../../core/notices/plan-messages.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { type Destination, type NotifyEffects, selectNotices } from './destination.ts';

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

/** For all messages together: a night must not wait for its notices for ever. */
const DELIVERY_TIMEOUT_MS = 120_000;

/** Sends every destination the notices that its route selects and it does not have yet. What does not arrive is kept. */
export async function deliver(
  notices: readonly Notice[],
  { destinations, log }: { readonly destinations: readonly Destination[]; readonly log: DeliveryLog },
  effects: NotifyEffects,
): Promise<readonly DeliveryReport[]> {
  log.keepOnly(new Set(destinations.map(({ name }) => name)));
  const deadline = effects.clock.now() + DELIVERY_TIMEOUT_MS;
  return Promise.all(destinations.map((it) => deliverTo(it, { notices, log, deadline }, effects)));
}

interface Round {
  readonly notices: readonly Notice[];
  readonly log: DeliveryLog;
  readonly deadline: number;
}

async function deliverTo(
  destination: Destination,
  round: Round,
  effects: NotifyEffects,
): Promise<DeliveryReport> {
  const { name } = destination;
  const own = round.log.of(name);
  const problems: string[] = [];
  const addProblem = (message: string) => {
    problems.push(message);
    round.log.addProblem({ at: effects.clock.now(), destination: name, message });
  };
  const { pending, ready, dropped } = selectNotices(destination, round, effects.clock);
  own.pending = pending;
  const held = pending.length - ready.length;
  if (dropped > 0) addProblem(`${dropped} waiting notices were dropped: there were too many.`);
  await round.log.save();
  let [messages, delivered] = [0, 0];
  for (const planned of planMessages(ready, own.deliveries, destination.connection.supports)) {
    if (effects.clock.now() > round.deadline) break; // the rest is for the next time
    const outcome = await sendSafely(planned, { destination, deadline: round.deadline }, effects);
    for (const problem of outcome.problems) addProblem(problem);
    if (outcome.state === 'kept') {
      await round.log.save();
      break; // the next one would fail as well
    }
    recordDelivery(planned, outcome, { own, now: effects.clock.now() });
    if (outcome.state === 'sent') {
      messages++;
      delivered += planned.covers.length;
    }
    await round.log.save();
  }
  const waiting = own.pending.length - held;
  return { destination: name, messages, notices: delivered, held, waiting, problems };
}

async function sendSafely(
  planned: PlannedMessage,
  target: { readonly destination: Destination; readonly deadline: number },
  effects: NotifyEffects,
): Promise<SendOutcome> {
  const { obstacle } = target.destination;
  if (obstacle !== undefined) return { state: 'kept', problems: [obstacle] };
  try {
    return await sendMessage(planned, target, effects);
  } catch (error) {
    // Invalid settings; any other error is a bug of ours and must not fail a night either.
    const hint = error instanceof NightmarkError && error.hint !== undefined ? ` ${error.hint}` : '';
    return { state: 'kept', problems: [`${messageOf(error)}${hint}`] };
  }
}

/** Records what was delivered, and removes it from what is pending. */
function recordDelivery(
  { covers, isDigest }: PlannedMessage,
  outcome: Extract<SendOutcome, { state: 'sent' | 'dropped' }>,
  { own, now }: { readonly own: ReturnType<DeliveryLog['of']>; readonly now: number },
): void {
  const done = new Set(covers.map(({ topic }) => topic));
  own.pending = own.pending.filter(({ notice }) => !done.has(notice.topic));
  for (const notice of covers) {
    const receipt = outcome.state === 'sent' ? outcome.receipt : undefined;
    own.deliveries.delete(notice.topic); // moves to the end
    own.deliveries.set(notice.topic, {
      state: notice.state,
      mark: fingerprintOf(notice),
      at: now,
      ...(receipt !== undefined && { receipt }),
      ...(isDigest && { isDigest }),
    });
  }
}

export type SendOutcome =
  | { readonly state: 'sent'; readonly receipt?: string; readonly problems: readonly string[] }
  /** It will never be taken. */
  | { readonly state: 'dropped'; readonly problems: readonly string[] }
  /** For the next time. */
  | { readonly state: 'kept'; readonly problems: readonly string[] };

interface SendTarget {
  readonly destination: Destination;
  readonly deadline: number;
}

/** Sends one planned message, step by step, and its charts below it. */
async function sendMessage(
  { notice, as }: PlannedMessage,
  target: SendTarget,
  effects: NotifyEffects,
): Promise<SendOutcome> {
  let receipt: string | undefined;
  let isFresh = false;
  for (const step of as) {
    let sent = await sendStep(notice, step, { target, effects });
    isFresh = step.kind === 'new' || sent.state === 'gone';
    // Somebody deleted the message: it is posted anew, once.
    if (sent.state === 'gone') sent = await sendStep(notice, { kind: 'new' }, { target, effects });
    if (sent.state !== 'sent')
      return { state: sent.state === 'refused' ? 'dropped' : 'kept', problems: [sent.message] };
    receipt = isFresh || step.kind === 'new' ? sent.receipt : step.receipt;
    if (isFresh) break;
  }
  const problems =
    isFresh && receipt !== undefined ? await attachCharts(notice, receipt, { target, effects }) : [];
  return { state: 'sent', ...(receipt !== undefined && { receipt }), problems };
}

interface Sending {
  readonly target: SendTarget;
  readonly effects: NotifyEffects;
}

async function sendStep(notice: Notice, step: Step, { target, effects }: Sending): Promise<Sent> {
  const { connection } = target.destination;
  const goesAlong = step.kind === 'new' && !connection.attach;
  const message: OutgoingMessage = {
    notice,
    kind: step.kind,
    ...(step.kind !== 'new' && { earlier: step.receipt }),
    pictures: goesAlong ? await drawCharts(target.destination, notice.charts, effects) : [],
  };
  return retried(() => connection.send(message, effects.signal), { target, effects });
}

/** A chart that does not arrive is reported; the message stands. */
async function attachCharts(
  notice: Notice,
  receipt: string,
  { target, effects }: Sending,
): Promise<readonly string[]> {
  const { connection } = target.destination;
  if (!connection.attach) return [];
  const problems: string[] = [];
  for (const picture of await drawCharts(target.destination, notice.charts, effects)) {
    if (effects.clock.now() > target.deadline) break;
    const attach = async () =>
      (await connection.attach?.(receipt, picture, effects.signal)) ?? ({ state: 'sent' } as const);
    const sent = await retried(attach, { target, effects });
    if (sent.state !== 'sent') problems.push(`A chart did not arrive: ${sent.message}`);
  }
  return problems;
}

function retried(attempt: () => Promise<Sent>, { target, effects }: Sending): Promise<Sent> {
  const { destination, deadline } = target;
  return withRetries(attempt, { ...effects, tries: destination.route.tries, deadline });
}

async function drawCharts(
  { connection }: Destination,
  charts: readonly string[],
  { draw }: NotifyEffects,
): Promise<readonly NoticePicture[]> {
  if (!connection.supports.images) return [];
  const pictures: NoticePicture[] = [];
  for (const id of charts) {
    const picture = await draw(id);
    if (picture) pictures.push(picture);
  }
  return pictures;
}

export interface RetryRules {
  readonly tries: number;
  /** No attempt starts after this time. */
  readonly deadline: number;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly signal: CancelSignal;
  random(): number;
}

const FIRST_PAUSE_MS = 1000;

/** Retries while the receiver is busy: after its Retry-After, or after a pause that doubles, with jitter. */
export async function withRetries(attempt: () => Promise<Sent>, rules: RetryRules): Promise<Sent> {
  const { tries, deadline, clock, signal, random } = rules;
  for (let tried = 1; ; tried++) {
    const sent = await attempt();
    if (sent.state !== 'busy' || tried >= tries || signal.aborted) return sent;
    const pause = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + random());
    const wait = Math.max(sent.retryAfterMs ?? 0, pause);
    if (clock.now() + wait > deadline) return sent;
    await clock.sleep(wait, signal);
  }
}
