import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { NightmarkError } from '../../../core/errors.ts';
import type {
  PacketListener,
  PacketListenerOptions,
  PacketListeners,
} from '../../../core/ports/packet-listener.ts';
import { kernelDrops } from './kernel-drops.ts';

/** Asked for in turn; the system grants what it allows, and on Linux doubles it for its own book-keeping. */
const BUFFER_BYTES = [64, 16, 4, 1].map((mebibytes) => mebibytes * 1024 * 1024);

/** UDP sockets of this machine. */
export const udpListeners: PacketListeners = { id: 'udp', open };

async function open({ host, port, onPacket }: PacketListenerOptions): Promise<PacketListener> {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIPv6(address) ? 6 : 4;
  const socket = createSocket({ type: family === 6 ? 'udp6' : 'udp4' });
  socket.on('message', onPacket);
  try {
    socket.bind({ address, port, exclusive: true });
    await once(socket, 'listening');
  } catch (error) {
    socket.close();
    throw explain(error, address, port);
  }
  // A later error, such as a network that goes away, must not end the process: packets stay out, nothing else happens.
  socket.on('error', () => undefined);
  const bufferBytes = enlargeBuffer(socket);
  const realPort = socket.address().port;
  const before = (await kernelDrops(realPort, family)) ?? 0;
  return {
    port: realPort,
    bufferBytes,
    lost: async () => {
      const now = await kernelDrops(realPort, family);
      return now === undefined ? undefined : Math.max(0, now - before);
    },
    close: async () => {
      socket.off('message', onPacket);
      socket.close();
      await once(socket, 'close');
    },
  };
}

function enlargeBuffer(socket: Socket): number {
  for (const bytes of BUFFER_BYTES) {
    try {
      socket.setRecvBufferSize(bytes);
      break;
    } catch {
      // Some systems refuse instead of granting less: the next smaller one is tried.
    }
  }
  return socket.getRecvBufferSize();
}

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
      return error;
  }
}
