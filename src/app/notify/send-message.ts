import type { PlannedMessage, Step } from '../../core/notices/plan-messages.ts';
import type { NoticePicture, OutgoingMessage, Sent } from '../../core/ports/notifier.ts';
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
  { destination, deadline }: Way,
  effects: NotifyEffects,
): Promise<SendOutcome> {
  const { connection, route } = destination;
  const retrying = (attempt: () => Promise<Sent>) =>
    withRetries(attempt, { ...effects, tries: route.tries, deadline });
  const send = async (step: Step) => {
    const isNew = step.kind === 'new';
    const pictures = isNew && !connection.attach ? await drawn(destination, notice.charts, effects) : [];
    const message: OutgoingMessage = {
      notice,
      kind: step.kind,
      ...(step.kind !== 'new' && { earlier: step.receipt }),
      pictures,
    };
    return retrying(() => connection.send(message, effects.signal));
  };
  let receipt: string | undefined;
  let isFresh = false;
  for (const step of as) {
    let sent = await send(step);
    isFresh = step.kind === 'new' || sent.state === 'gone';
    // Somebody deleted the message: it is said anew, once.
    if (sent.state === 'gone') sent = await send({ kind: 'new' });
    if (sent.state !== 'sent')
      return { state: sent.state === 'refused' ? 'dropped' : 'kept', problems: [sent.message] };
    receipt = isFresh ? sent.receipt : (step as Exclude<Step, { kind: 'new' }>).receipt;
    if (isFresh) break;
  }
  const problems: string[] = [];
  if (isFresh && connection.attach && receipt !== undefined) {
    for (const picture of await drawn(destination, notice.charts, effects)) {
      if (effects.clock.now() > deadline) break;
      const sent = await retrying(() => attach(destination, receipt ?? '', picture, effects));
      if (sent.state !== 'sent') problems.push(`A chart did not arrive: ${sent.message}`);
    }
  }
  return { state: 'sent', ...(receipt !== undefined && { receipt }), problems };
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

async function attach(
  { connection }: Destination,
  receipt: string,
  picture: NoticePicture,
  { signal }: NotifyEffects,
): Promise<Sent> {
  return (await connection.attach?.(receipt, picture, signal)) ?? { state: 'sent' };
}
