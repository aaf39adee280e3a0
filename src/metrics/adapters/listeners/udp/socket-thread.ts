import { createSocket, type Socket } from 'node:dgram';
import { parentPort, workerData } from 'node:worker_threads';
import { PacketGatherer } from './packet-gatherer.ts';
import type { ThreadMessage, ThreadOptions, ThreadOrder } from './thread-messages.ts';

/** Asked for in turn; the system grants what it allows, and on Linux doubles it for its own book-keeping. */
const BUFFER_BYTES = [64, 16, 4, 1].map((mebibytes) => mebibytes * 1024 * 1024);

/**
 * The socket has a thread of its own: while the main one writes, answers or collects garbage, packets would pile up in
 * the kernel, whose buffer lasts for some hundredths of a second.
 */
const { address, port, family } = workerData as ThreadOptions;
const say = (message: ThreadMessage, owned: ArrayBuffer[] = []) => parentPort?.postMessage(message, owned);
const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
const gatherer = new PacketGatherer((bytes, lengths, lost) =>
  say({ kind: 'packets', bytes, lengths, lost }, [bytes.buffer, lengths.buffer]),
);

socket.on('message', (packet) => gatherer.add(packet));
// Before it listens the reason is told; later, such as when a network goes away, packets only stay out.
socket.on('error', ({ code, message }: NodeJS.ErrnoException) =>
  say({ kind: 'failed', error: { message, ...(code !== undefined && { code }) } }),
);
socket.bind({ address, port, exclusive: true }, () =>
  say({ kind: 'listening', bufferBytes: enlargeBuffer(socket), port: socket.address().port }),
);

parentPort?.on('message', (order: ThreadOrder) => {
  if (order.kind === 'handed-on') gatherer.handedOn(order.bytes);
  else {
    socket.close(() => {
      gatherer.give();
      parentPort?.close();
    });
  }
});

function enlargeBuffer(of: Socket): number {
  for (const bytes of BUFFER_BYTES) {
    try {
      of.setRecvBufferSize(bytes);
      break;
    } catch {
      // Some systems refuse instead of granting less: the next smaller one is tried.
    }
  }
  return of.getRecvBufferSize();
}
