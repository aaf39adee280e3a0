import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import openSqliteStorage from '../../src/metrics/adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../../src/metrics/app/point-engine.ts';
import type { IngestReport } from '../../src/metrics/core/lines/ingest-counters.ts';
import systemClock from '../../src/platform/adapters/system-clock.ts';
import { killServers, servePoints } from '../support/serve-points.ts';
import { freeUdpPort, sendPackets } from '../support/udp.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-ingest-'));
after(() => {
  killServers();
  rmSync(folder, { recursive: true, force: true });
});

const serve = (name: string, ...options: string[]) => servePoints(join(folder, name), { options });

/** What is in the home after the server has gone: "measurement,tags field=newest value". */
async function stored(home: string): Promise<readonly string[]> {
  const engine = await PointEngine.open(await openSqliteStorage(join(home, '.nightmark/points')), {
    clock: systemClock,
  });
  const columns = engine.columns('nightmark');
  const latest = await engine.latest(columns.map(({ number }) => number));
  await engine.close();
  return columns
    .map(({ measurement, tags, field }, index) => {
      const { numbers, strings, bigints } = latest[index] ?? {};
      const head = [measurement, ...tags.map(([key, value]) => `${key}=${value}`)].join();
      return `${head} ${field}=${strings?.[0] ?? bigints?.[0] ?? numbers?.[0]}`;
    })
    .sort();
}

test('points that came by HTTP and UDP are there when the server was killed', async () => {
  const port = await freeUdpPort();
  const server = await serve('both', '--udp-port', String(port));
  assert.match(server.stderr(), new RegExp(`UDP packets on 127\\.0\\.0\\.1 port ${port}`));
  assert.equal((await server.write('cpu,host=a user=1.5,big=9007199254740993i\n')).status, 204);
  const partial = await server.write('cpu,host=a user=2.5\ncpu,host=a user=3i\n');
  assert.equal(partial.status, 400);
  assert.equal(
    ((await partial.json()) as { error: string }).error,
    'partial write: field type conflict: input field "user" on measurement "cpu" is type integer, already exists as type float dropped=1',
  );
  await sendPackets(port, [
    'loss,job_id=7 value=0.46\n',
    'note value="say "hi""\n',
    'bad\nloss,job_id=7 value=0.25\n',
  ]);
  while ((await server.ingest()).sources.udp.values < 3) await sleep(20);
  const { refused, sources } = await server.ingest();
  assert.deepEqual(refused, { syntax: 1, 'type-conflict': 1 });
  assert.equal(sources.udp.lines, 4);
  await server.stop('SIGKILL');
  assert.deepEqual(await stored(server.home), [
    'cpu,host=a big=9007199254740993',
    'cpu,host=a user=2.5',
    'loss,job_id=7 value=0.25',
    'note value=say "hi"',
  ]);
});

test('10,000 packets at full speed: received and lost are what was sent', async () => {
  const port = await freeUdpPort();
  const server = await serve('flood', '--udp-port', String(port));
  if ((await server.ingest()).packets.lostByKernel === undefined) return;
  const socket = createSocket('udp4');
  const sends = Array.from(
    { length: 10_000 },
    (_, i) => new Promise((done) => socket.send(`m,k=${i % 10} v=${i}i`, port, '127.0.0.1', done)),
  );
  await Promise.all(sends);
  socket.close();
  const known = ({ sources, packets }: IngestReport) => sources.udp.messages + (packets.lostByKernel ?? 0);
  while (known(await server.ingest()) < 10_000) await sleep(50);
  const report = await server.ingest();
  assert.equal(known(report), 10_000);
  assert.deepEqual(report.packets.lost, {});
  assert.equal(await server.stop(), 0);
});

test('a UDP port that is taken is reported, and the server goes on without it', async () => {
  const holder = createSocket('udp4');
  holder.bind(0, '127.0.0.1');
  await once(holder, 'listening');
  const server = await serve('taken', '--udp-port', String(holder.address().port));
  assert.match(
    server.stderr(),
    /No UDP packets are taken: UDP port \d+ on 127\.0\.0\.1 is in use\. \[SERVE_UDP_PORT_TAKEN\]/,
  );
  assert.equal((await server.ingest()).packets.isListening, false);
  assert.equal(await server.stop(), 0);
  holder.close();
});
