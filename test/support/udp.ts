import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Sends packets to this machine, one after the other. */
export async function sendPackets(port: number, packets: readonly (string | Uint8Array)[]): Promise<void> {
  const socket = createSocket('udp4');
  for (const packet of packets) {
    await new Promise<void>((done, fail) =>
      socket.send(packet, port, '127.0.0.1', (error) => (error ? fail(error) : done())),
    );
  }
  socket.close();
}

/** A port that nobody had a moment ago. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}
