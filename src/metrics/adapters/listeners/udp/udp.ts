import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { Worker } from 'node:worker_threads';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type {
  PacketListener,
  PacketListenerOptions,
  PacketListeners,
} from '../../../core/packet-listener.ts';
import { kernelDrops } from './kernel-drops.ts';
import type { ThreadMessage, ThreadOptions, ThreadOrder } from './thread-messages.ts';

/** UDP sockets of this machine. */
const udpListeners: PacketListeners = { id: 'udp', open };

async function open({ host, port, onPacket }: PacketListenerOptions): Promise<PacketListener> {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIPv6(address) ? 6 : 4;
  const workerData: ThreadOptions = { address, port, family };
  const thread = new Worker(new URL('./socket-thread.js', import.meta.url), { workerData });
  const [first] = (await once(thread, 'message')) as [ThreadMessage];
  if (first.kind !== 'listening') {
    await thread.terminate();
    throw explain(first.kind === 'failed' ? first.error : first, address, port);
  }
  const before = (await kernelDrops(first.port, family)) ?? 0;
  let thrownAway = 0;
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind !== 'packets') return;
    thrownAway += message.lost;
    handOn(message, onPacket);
    tell(thread, { kind: 'handed-on', bytes: message.bytes.length });
  });
  return {
    port: first.port,
    bufferBytes: first.bufferBytes,
    lost: async () => {
      const now = await kernelDrops(first.port, family);
      return now === undefined ? undefined : Math.max(0, now - before) + thrownAway;
    },
    close: async () => {
      const ended = once(thread, 'exit');
      tell(thread, { kind: 'close' });
      await ended;
    },
  };
}

function tell(thread: Worker, order: ThreadOrder): void {
  thread.postMessage(order);
}

function handOn({ bytes, lengths }: Packets, onPacket: PacketListenerOptions['onPacket']): void {
  let at = 0;
  for (const length of lengths) {
    onPacket(bytes.subarray(at, at + length));
    at += length;
  }
}

type Packets = Extract<ThreadMessage, { kind: 'packets' }>;

function explain(error: unknown, host: string, port: number): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new NightmarkError('SERVE_UDP_PORT_TAKEN', `UDP port ${port} on ${host} is taken.`, {
        hint: 'Telegraf or another "nightmark serve" may hold it. --udp-port N takes another one, --udp-port 0 none.',
        cause: error,
      });
    case 'EACCES':
      return new NightmarkError(
        'SERVE_UDP_PORT_DENIED',
        `UDP port ${port} on ${host} is not allowed to this user.`,
        {
          hint: 'Choose one above 1023, for example --udp-port 8092.',
          cause: error,
        },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new NightmarkError('SERVE_UDP_HOST_UNKNOWN', `This machine has no address "${host}" for UDP.`, {
        hint: 'Use --udp-host 127.0.0.1, an address that "ip addr" lists, or 0.0.0.0 for all of them.',
        cause: error,
      });
    default:
      return new NightmarkError(
        'SERVE_UDP_FAILED',
        `UDP port ${port} on ${host} cannot be opened: ${(error as Error).message}`,
        {
          hint: '--udp-port 0 serves without UDP.',
          cause: error,
        },
      );
  }
}

export default udpListeners;
