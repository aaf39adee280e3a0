import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { Worker } from 'node:worker_threads';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { PacketListener, PacketListenerOptions } from '../../core/packet-listener.ts';
import type { ThreadMessage, ThreadOptions, ThreadOrder } from './socket-thread.ts';

/** A UDP socket of this machine. */
export async function openUdpListener({
  host,
  port,
  onPacket,
}: PacketListenerOptions): Promise<PacketListener> {
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
  let dropped = 0;
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind !== 'packets') return;
    dropped += message.lost;
    forEachPacket(message, onPacket);
    order(thread, { kind: 'processed', bytes: message.bytes.length });
  });
  return {
    port: first.port,
    bufferBytes: first.bufferBytes,
    lost: async () => {
      const now = await kernelDrops(first.port, family);
      return now === undefined ? undefined : Math.max(0, now - before) + dropped;
    },
    close: async () => {
      const ended = once(thread, 'exit');
      order(thread, { kind: 'close' });
      await ended;
    },
  };
}

function order(thread: Worker, message: ThreadOrder): void {
  thread.postMessage(message);
}

function forEachPacket({ bytes, lengths }: Packets, onPacket: PacketListenerOptions['onPacket']): void {
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
      return new NightmarkError('SERVE_UDP_PORT_TAKEN', `UDP port ${port} on ${host} is in use.`, {
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

/** Packets that Linux dropped for the sockets on a port; undefined where it does not report them. */
async function kernelDrops(port: number, family: 4 | 6): Promise<number | undefined> {
  try {
    return dropsIn(await readFile(family === 4 ? '/proc/net/udp' : '/proc/net/udp6', 'utf8'), port);
  } catch {
    // Not Linux, or a sandbox without /proc: the number is unknown, which is not zero.
    return undefined;
  }
}

/** Columns: https://docs.kernel.org/networking/proc_net_udp.html - the local address is the second, drops the last. */
export function dropsIn(table: string, port: number): number | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = table
    .split('\n')
    .slice(1)
    .map((row) => row.trim().split(/\s+/))
    .filter((cells) => cells[1]?.endsWith(suffix));
  const drops = rows.map((cells) => Number(cells.at(-1)));
  return drops.length === 0 || drops.some(Number.isNaN)
    ? undefined
    : drops.reduce((sum, count) => sum + count, 0);
}
