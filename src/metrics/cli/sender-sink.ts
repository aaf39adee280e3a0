import { setTimeout as sleep } from 'node:timers/promises';
import type { LineSender } from '../client/line-senders.ts';
import type { LineSink } from '../core/lines/line-sink.ts';

/** A pause after this many datagrams: a backlog at full speed would silently overflow the buffer of the receiver. */
const DATAGRAMS_AT_ONCE = 20;
const PAUSE_MS = 2;

/** Sends many lines in batches of the sender's size. Lines that are too long for it are reported as refused. */
export function senderSink(sender: LineSender): LineSink {
  return {
    async send(lines) {
      let message: string | undefined;
      let refused = 0;
      let sent = 0;
      for (const batch of batches(lines, sender)) {
        const delivery = await sender.send(`${batch.join('\n')}\n`);
        if (delivery.state === 'failed') return delivery;
        if (delivery.state === 'refused') {
          message = delivery.message;
          refused += Math.min(delivery.lines ?? batch.length, batch.length);
        }
        if (!sender.canRetry && ++sent % DATAGRAMS_AT_ONCE === 0) await sleep(PAUSE_MS);
      }
      const tooLong = lines.filter((line) => Buffer.byteLength(line) >= sender.lineBytes).length;
      if (tooLong > 0) message = `${tooLong} lines are too long for a datagram`;
      if (message === undefined) return { state: 'delivered' };
      return { state: 'refused', message, lines: refused + tooLong };
    },
  };
}

function* batches(
  lines: readonly string[],
  { batchBytes, lineBytes }: LineSender,
): Generator<readonly string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const more = Buffer.byteLength(line) + 1;
    if (more > lineBytes) continue;
    if (batch.length > 0 && bytes + more > batchBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(line);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
