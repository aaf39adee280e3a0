// Packets at a steady rate, one point each, with times of their own so that none hides another.
import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './client.ts';
import { T0 } from './points.ts';
import type { Server } from './servers.ts';

export interface PacketResult {
  readonly sent: number;
  readonly lost: number;
  /** What the sender reached. */
  readonly perSecond: number;
}

export async function sendPaced(
  server: Server,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<PacketResult> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.connect(server.udpPort, '127.0.0.1', resolve));
  const total = perSecond * seconds;
  const start = performance.now();
  let sent = 0;
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1000));
    const burst = Math.min(due, sent + 500);
    if (burst === sent) await sleep(1);
    for (; sent < burst; sent++)
      socket.send(`packets,host=h${sent % 100} v=${sent % 1000} ${T0}${String(sent).padStart(9, '0')}\n`);
    // Sends are handed to the kernel between two turns.
    await new Promise(setImmediate);
  }
  const took = performance.now() - start;
  socket.close();
  const stored = await storedCount(server, total);
  return { sent, lost: sent - stored, perSecond: (sent / took) * 1000 };
}

/** Until all are there, or none came for two seconds. */
async function storedCount(server: Server, wanted: number): Promise<number> {
  let [found, quiet] = [0, 0];
  while (found < wanted && quiet < 8) {
    await sleep(250);
    const text = await ask(server, 'SELECT count(v) FROM packets');
    const now = Number(/"values":\[\[[^,]+,(\d+)\]/.exec(text)?.[1] ?? 0);
    quiet = now === found ? quiet + 1 : 0;
    found = now;
  }
  return found;
}
