import { authorization } from '../../../../platform/adapters/http.ts';
import type { Delivery, Forwarder, ForwardPlace } from '../../../core/forward/forwarder.ts';
import {
  type RemoteSample,
  remoteSamples,
  snappyBlock,
  writeRequest,
} from '../../../core/forward/remote-write.ts';
import { addressOf, type PostOutcome, post } from '../post.ts';

/** Remote write 1.0: Prometheus and compatible receivers. The address includes the path. */
const prometheus: Forwarder = {
  id: 'prometheus',
  title: 'Prometheus remote write',
  open(place: ForwardPlace) {
    const url = addressOf(place, '');
    const headers = {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
      'user-agent': 'nightmark',
      ...authorization(place.secrets, 'Bearer'),
    };
    return {
      async send({ rows, keyOf }, signal) {
        const { samples, labels, notNumbers, sameMoment } = remoteSamples(rows, keyOf);
        const sent = await sendSplitting(samples, (part) =>
          post({ url, headers, body: snappyBlock(writeRequest(part, labels)) }, signal),
        );
        if ('state' in sent) return sent;
        const leftOut = {
          ...(notNumbers > 0 && { 'not-a-number': notNumbers }),
          ...(sameMoment > 0 && { 'same-moment': sameMoment }),
          ...(sent.refused > 0 && { refused: sent.refused }),
        };
        const message = sent.message === undefined ? {} : { message: sent.message };
        return { state: 'done', sent: samples.length - sent.refused, leftOut, ...message };
      },
    };
  },
};

/** Maximum requests for one batch; beyond them the rest counts as refused. */
const MAX_REQUESTS = 60;

interface Sent {
  readonly refused: number;
  readonly message?: string;
}

/**
 * The receiver refuses a whole request for one sample that is too old. Bisection finds the others: samples are in time order, so
 * what is too old is in the first half.
 */
async function sendSplitting(
  samples: readonly RemoteSample[],
  send: (part: readonly RemoteSample[]) => Promise<PostOutcome>,
): Promise<Sent | Extract<Delivery, { state: 'later' }>> {
  const parts = samples.length === 0 ? [] : [samples];
  let refused = 0;
  let message: string | undefined;
  for (let requests = 1; parts.length > 0; requests++) {
    const part = parts.pop() as readonly RemoteSample[]; // there is one
    const outcome = await send(part);
    if (outcome.state === 'later') return outcome;
    if (outcome.state === 'taken') continue;
    message ??= outcome.message;
    if (part.length === 1 || requests + parts.length >= MAX_REQUESTS) {
      refused += part.length;
      continue;
    }
    const middle = part.length >> 1;
    parts.push(part.slice(middle), part.slice(0, middle)); // the older first
  }
  return { refused, ...(message !== undefined && { message }) };
}

export default prometheus;
