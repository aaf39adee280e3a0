import { createSocket, type Socket } from 'node:dgram';
import { parentPort, workerData } from 'node:worker_threads';

export interface ThreadOptions {
  readonly address: string;
  readonly port: number;
  readonly family: 4 | 6;
}

/** From the thread: once that it listens or why not, then packets, one after the other in one buffer. */
export type ThreadMessage =
  | { readonly kind: 'listening'; readonly port: number; readonly bufferBytes: number }
  | { readonly kind: 'failed'; readonly error: { readonly code?: string; readonly message: string } }
  | {
      readonly kind: 'packets';
      readonly bytes: Uint8Array;
      readonly lengths: Uint32Array;
      readonly lost: number;
    };

/** To the thread: packets were processed, or it should end. */
export type ThreadOrder = { readonly kind: 'processed'; readonly bytes: number } | { readonly kind: 'close' };

type Emit = (bytes: Uint8Array<ArrayBuffer>, lengths: Uint32Array<ArrayBuffer>, lost: number) => void;

const BATCH_BYTES = 256 * 1024;
const BATCH_PACKETS = 4096;
/** How long a packet waits for others before the main thread is woken. */
const BATCH_MS = 5;
/** What the main thread has not processed yet. Beyond it packets are dropped, so that memory stays bounded. */
const MAX_IN_FLIGHT_BYTES = 64 * 1024 * 1024;

/** Sends packets to the main thread in batches: a message for each would cost more than the packet. */
class PacketBatcher {
  readonly #emit: Emit;
  #bytes = new Uint8Array(BATCH_BYTES);
  #lengths = new Uint32Array(BATCH_PACKETS);
  #used = 0;
  #count = 0;
  #lost = 0;
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  add(packet: Uint8Array): void {
    if (this.#inFlight > MAX_IN_FLIGHT_BYTES) this.#lost++;
    else {
      if (this.#used + packet.length > BATCH_BYTES || this.#count === BATCH_PACKETS) this.flush();
      this.#bytes.set(packet, this.#used);
      this.#used += packet.length;
      this.#lengths[this.#count++] = packet.length;
    }
    this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  processed(bytes: number): void {
    this.#inFlight -= bytes;
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count === 0 && this.#lost === 0) return;
    const bytes = this.#bytes.slice(0, this.#used);
    this.#inFlight += bytes.length;
    this.#emit(bytes, this.#lengths.slice(0, this.#count), this.#lost);
    this.#used = 0;
    this.#count = 0;
    this.#lost = 0;
  }
}

/** Tried in this order. The system grants what it allows, and Linux doubles it for its own bookkeeping. */
const BUFFER_BYTES = [64, 16, 4, 1].map((mebibytes) => mebibytes * 1024 * 1024);

/**
 * The socket has its own thread: while the main one writes, answers or collects garbage, packets would pile up in the
 * kernel, whose buffer lasts for some hundredths of a second.
 */
const { address, port, family } = workerData as ThreadOptions;
const post = (message: ThreadMessage, owned: ArrayBuffer[] = []) => parentPort?.postMessage(message, owned);
const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
const batcher = new PacketBatcher((bytes, lengths, lost) =>
  post({ kind: 'packets', bytes, lengths, lost }, [bytes.buffer, lengths.buffer]),
);

socket.on('message', (packet) => batcher.add(packet));
// Before it listens the main thread reports the reason. Later, such as when a network goes down, packets only stay out.
socket.on('error', ({ code, message }: NodeJS.ErrnoException) =>
  post({ kind: 'failed', error: { message, ...(code !== undefined && { code }) } }),
);
socket.bind({ address, port, exclusive: true }, () =>
  post({ kind: 'listening', bufferBytes: enlargeBuffer(socket), port: socket.address().port }),
);

parentPort?.on('message', (order: ThreadOrder) => {
  if (order.kind === 'processed') batcher.processed(order.bytes);
  else {
    socket.close(() => {
      batcher.flush();
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
      // Some systems refuse instead of granting less: the next smaller size is tried.
    }
  }
  return of.getRecvBufferSize();
}
