import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { newServerPlace, removePlace, startInfluxdb } from '../support/metric-servers.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres-server.ts';
import { freePort, skipWithout } from '../support/real-server.ts';
import { killServers, servePoints } from '../support/serve-points.ts';
import { freeUdpPort, sendPackets } from '../support/udp.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-serve-points-'));
after(() => {
  killServers();
  rmSync(folder, { recursive: true, force: true });
});
const home = (name: string) => join(folder, name);
const NO_UDP = 'udp: {port: 0}';
const defined = (...keys: string[]) =>
  `experiments: {}\nmetrics:\n${keys.map((key) => `  ${key}\n`).join('')}`;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isSo()) return;
    await sleep(20);
  }
  assert.fail('it did not come to be');
}

/** What the command line prints, statement by statement. */
const SESSION: readonly (readonly [statement: string, printed: string])[] = [
  ['CREATE DATABASE lab', ''],
  ['INSERT cpu,host=a busy=1.5,count=9007199254740993i 1700000000000000001', ''],
  ['INSERT cpu,host=b busy=2.5 1700000000000000002', ''],
  [
    'SELECT busy, count FROM cpu GROUP BY host',
    'name,tags,time,busy,count\ncpu,host=a,1700000000000000001,1.5,9007199254740993\n' +
      'name,tags,time,busy,count\ncpu,host=b,1700000000000000002,2.5,\n',
  ],
  ['SHOW SERIES', 'key\n"cpu,host=a"\n"cpu,host=b"\n'],
  ['SELECT mean(busy) FROM cpu', 'name,time,mean\ncpu,0,2\n'],
  [`DROP SERIES FROM cpu WHERE host = 'a'`, ''],
  ['SHOW SERIES', 'key\n"cpu,host=b"\n'],
  ['DROP DATABASE lab', ''],
];

function influxSession(address: string): void {
  const { hostname, port } = new URL(address);
  for (const [statement, printed] of SESSION) {
    const where = ['-host', hostname, '-port', port, '-database', 'lab', '-format', 'csv'];
    const { status, stdout, stderr } = spawnSync('influx', [...where, '-execute', statement], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr, stdout], [0, '', printed], statement);
  }
}

const noInflux = skipWithout('influx', '"apt install influxdb-client" brings the command line');
test('the influx command line creates, inserts, selects, shows and drops', { skip: noInflux }, async () => {
  const server = await servePoints(home('client'), { definition: defined(NO_UDP) });
  influxSession(server.address);
  assert.equal(await server.stop(), 0);
});

const noInfluxdb = noInflux || skipWithout('influxd', '"apt install influxdb" brings the server');
test('it prints the same with a real InfluxDB', { skip: noInfluxdb }, async () => {
  const place = await newServerPlace();
  const server = await startInfluxdb(place);
  try {
    influxSession(server.url);
  } finally {
    await server.stop();
    removePlace(place);
  }
});

test('points are mirrored, also those that came while the mirror was away and the server was stopped', async () => {
  const mirrored: string[] = [];
  const mirror = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    mirrored.push(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
    response.writeHead(204).end();
  });
  mirror.listen(0, '127.0.0.1');
  await once(mirror, 'listening');
  const url = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
  const port = await freeUdpPort();
  const udp = `udp: {port: ${port}}`;
  const forward = (to: string) =>
    defined(udp, `forward: [{name: team, to: influx, url: "${to}", database: team}]`);
  const away = await servePoints(home('mirrored'), {
    definition: forward(`http://127.0.0.1:${await freePort()}`),
  });
  assert.equal((await away.write('m v=1 1')).status, 204);
  await until(async () => (await away.ingest()).forwarding?.[0]?.state === 'waiting');
  assert.equal((await away.ingest()).forwarding?.[0]?.buffer.lines, 1);
  const metrics = await (await fetch(`${away.address}metrics`)).text();
  assert.match(metrics, /\nnightmark_forward_waiting_lines\{target="team"\} 1\n/);
  assert.match(metrics, /\nnightmark_forward_up\{target="team"\} 0\n/);
  assert.match(away.stderr(), /team: .* It is retried\./);
  assert.equal(await away.stop('SIGINT'), 0);
  assert.ok(existsSync(join(home('mirrored'), '.nightmark/points/forward/team')));

  const back = await servePoints(home('mirrored'), { definition: forward(url) });
  await sendPackets(port, ['m v=2 2']);
  await until(async () => (await back.ingest()).forwarding?.[0]?.sent === 2);
  assert.equal(mirrored.join(''), 'm v=1 1\nm v=2 2\n');
  assert.equal(await back.stop(), 0);
  mirror.closeAllConnections();
  mirror.close();
});

test('a mirror whose secret is missing is reported, and nothing is served', async () => {
  const definition = defined(
    NO_UDP,
    'forward: [{name: team, to: influx, url: "http://h", token-env: NO_SUCH_TOKEN}]',
  );
  await assert.rejects(servePoints(home('secret'), { definition }), /NO_SUCH_TOKEN, which is not set/);
});

test('what is older than the definition keeps becomes summaries', async () => {
  const before = await servePoints(home('old'), { definition: defined(NO_UDP) });
  await before.query('CREATE DATABASE nightmark');
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const old = now - 10 * 86_400_000;
  const at = (ms: number) => `${ms}000000`;
  const lines = [`m v=1 ${at(old)}`, `m v=3 ${at(old + 1000)}`];
  assert.equal((await before.write(lines.join('\n'))).status, 204);
  assert.equal(await before.stop(), 0);

  const definition = defined(NO_UDP, 'retention: {raw: 1d, minutes: 30d}');
  const later = await servePoints(home('old'), { definition });
  const count = async () => {
    const { results } = (await later.query('SELECT v FROM m')) as {
      results: { series?: { values: number[][] }[] }[];
    };
    return results[0]?.series?.[0]?.values.length;
  };
  await until(async () => (await count()) === 1);
  assert.equal((await later.write(`m v=5 ${at(now)}`)).status, 204);
  assert.equal(await count(), 2);
  assert.equal(await later.stop(), 0);
});

test('options go before the keys of the definition', async () => {
  const [given, key] = [await freeUdpPort(), await freeUdpPort()];
  const definition = defined(`udp: {port: ${key}, database: train, strict: true}`, 'keep-not-finite: true');
  const options = ['--udp-port', String(given), '--udp-database', 'mine'];
  const server = await servePoints(home('options'), { definition, options });
  assert.match(server.stderr(), new RegExp(`port ${given}, for database "mine"`));
  await sendPackets(given, ['bad\nm v=1']);
  await until(async () => (await server.ingest()).packets.lost.strict === 1);
  const written = await fetch(`${server.address}write?db=mine`, { method: 'POST', body: 'm v=nan' });
  assert.equal(written.status, 204);
  assert.equal(await server.stop(), 0);
});

test('a definition that cannot be read, or a store that is away, is reported; the pages are served', async () => {
  const broken = await servePoints(home('broken'), { definition: defined('store: oracle') });
  assert.match(broken.stderr(), /^No points are taken or shown: .*nightmark\.yml:3:10: .*oracle/);
  assert.equal((await fetch(broken.address)).status, 200);
  assert.equal((await broken.write('m v=1')).status, 404);
  assert.equal(await broken.stop(), 0);

  const url = `postgres://me@127.0.0.1:${await freePort()}/metrics`;
  const env = { NIGHTMARK_POSTGRES_URL: url };
  const away = await servePoints(home('away'), { definition: defined(NO_UDP, 'store: postgres'), env });
  assert.match(
    away.stderr(),
    /^No points are taken or shown: .*127\.0\.0\.1.*\[POINTS_POSTGRES_UNREACHABLE\]\n/,
  );
  assert.equal((await fetch(away.address)).status, 200);
  assert.equal(await away.stop(), 0);
});

test('points lie in PostgreSQL where the definition says so', { skip: skipWithoutPostgres() }, async () => {
  const postgres = await PostgresServer.start();
  try {
    const serving = {
      definition: defined(NO_UDP, 'store: postgres'),
      env: { NIGHTMARK_POSTGRES_URL: postgres.url('team') },
    };
    const first = await servePoints(home('pg'), serving);
    await first.query('CREATE DATABASE nightmark');
    assert.equal((await first.write('m v=7 1000000')).status, 204);
    assert.equal(await first.stop('SIGKILL'), null);
    const second = await servePoints(home('pg'), serving);
    assert.deepEqual(await second.query('SELECT v FROM m'), {
      results: [{ statement_id: 0, series: [{ name: 'm', columns: ['time', 'v'], values: [[1, 7]] }] }],
    });
    assert.equal(await second.stop(), 0);
    assert.ok(!existsSync(join(home('pg'), '.nightmark/points')));
  } finally {
    postgres.remove();
  }
});
