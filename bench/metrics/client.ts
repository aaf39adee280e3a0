// A small client over connections that are kept, the same for both servers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DATABASE, type Server } from './servers.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Text of the answer. */
export async function ask({ port }: Server, query: string, database = DATABASE): Promise<string> {
  const search = new URLSearchParams({ db: database, q: query, epoch: 'ns' });
  const { status, text } = await call(port, `/query?${search}`, '');
  assert.equal(status, 200, text);
  return text;
}

export async function write({ port }: Pick<Server, 'port'>, lines: Uint8Array): Promise<void> {
  const { status, text } = await call(port, `/write?db=${DATABASE}`, lines);
  assert.equal(status, 204, text);
}

/** All bodies over so many connections at once; milliseconds that took. */
export async function writeAll(
  server: Pick<Server, 'port'>,
  bodies: readonly Uint8Array[],
  connections: number,
): Promise<number> {
  let next = 0;
  const start = performance.now();
  const lane = async () => {
    for (;;) {
      const body = bodies[next++];
      if (body === undefined) return;
      await write(server, body);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return performance.now() - start;
}

/** Bodies to a server that throws them away: what is compiled in the client then is not counted against anybody. */
export async function warmUp(bodies: readonly Uint8Array[], connections: number): Promise<void> {
  const sink = createServer((asked, answer) => {
    asked.resume().on('end', () => answer.writeHead(204).end());
  });
  await once(sink.listen(0, '127.0.0.1'), 'listening');
  const { port } = sink.address() as AddressInfo;
  await writeAll({ port }, bodies, connections);
  sink.closeAllConnections();
  sink.close();
}

function call(
  port: number,
  path: string,
  body: Uint8Array | string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': Buffer.byteLength(body) };
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
