import type { Notice } from '../../core/notices/notice.ts';
import type { PlannedMessage, Step } from '../../core/notices/plan-messages.ts';
import type { NoticePicture, OutgoingMessage, Sent } from '../../core/notifier.ts';
import type { Destination, NotifyEffects } from './notify-effects.ts';
import { withRetries } from './with-retries.ts';

export type SendOutcome =
  | { readonly state: 'sent'; readonly receipt?: string; readonly problems: readonly string[] }
  /** It will never be taken. */
  | { readonly state: 'dropped'; readonly problems: readonly string[] }
  /** For the next time. */
  | { readonly state: 'kept'; readonly problems: readonly string[] };

interface Way {
  readonly destination: Destination;
  readonly deadline: number;
}

/** Sends one planned message, step by step, and its charts below it. */
export async function sendMessage(
  { notice, as }: PlannedMessage,
  way: Way,
  effects: NotifyEffects,
): Promise<SendOutcome> {
  let receipt: string | undefined;
  let isFresh = false;
  for (const step of as) {
    let sent = await sendStep(notice, step, { way, effects });
    isFresh = step.kind === 'new' || sent.state === 'gone';
    // Somebody deleted the message: it is said anew, once.
    if (sent.state === 'gone') sent = await sendStep(notice, { kind: 'new' }, { way, effects });
    if (sent.state !== 'sent')
      return { state: sent.state === 'refused' ? 'dropped' : 'kept', problems: [sent.message] };
    receipt = isFresh || step.kind === 'new' ? sent.receipt : step.receipt;
    if (isFresh) break;
  }
  const problems =
    isFresh && receipt !== undefined ? await attachCharts(notice, receipt, { way, effects }) : [];
  return { state: 'sent', ...(receipt !== undefined && { receipt }), problems };
}

interface Sending {
  readonly way: Way;
  readonly effects: NotifyEffects;
}

async function sendStep(notice: Notice, step: Step, { way, effects }: Sending): Promise<Sent> {
  const { connection } = way.destination;
  const goesAlong = step.kind === 'new' && !connection.attach;
  const message: OutgoingMessage = {
    notice,
    kind: step.kind,
    ...(step.kind !== 'new' && { earlier: step.receipt }),
    pictures: goesAlong ? await drawn(way.destination, notice.charts, effects) : [],
  };
  return retried(() => connection.send(message, effects.signal), { way, effects });
}

/** A chart that does not arrive is told; the message stands. */
async function attachCharts(
  notice: Notice,
  receipt: string,
  { way, effects }: Sending,
): Promise<readonly string[]> {
  const { connection } = way.destination;
  if (!connection.attach) return [];
  const problems: string[] = [];
  for (const picture of await drawn(way.destination, notice.charts, effects)) {
    if (effects.clock.now() > way.deadline) break;
    const attach = async () =>
      (await connection.attach?.(receipt, picture, effects.signal)) ?? ({ state: 'sent' } as const);
    const sent = await retried(attach, { way, effects });
    if (sent.state !== 'sent') problems.push(`A chart did not arrive: ${sent.message}`);
  }
  return problems;
}

function retried(attempt: () => Promise<Sent>, { way, effects }: Sending): Promise<Sent> {
  const { destination, deadline } = way;
  return withRetries(attempt, { ...effects, tries: destination.route.tries, deadline });
}

async function drawn(
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
