import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBinary } from '../support/binary.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres-server.ts';
import { killServers, servePoints } from '../support/serve-points.ts';
import { freeUdpPort, sendPackets } from '../support/udp.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-store-away-'));
after(() => {
  killServers();
  rmSync(folder, { recursive: true, force: true });
});

type Served = Awaited<ReturnType<typeof servePoints>>;

async function untilWritten(server: Served, line: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const { status } = await server.write(line);
    if (status === 204) return;
    assert.equal(status, 503);
    await sleep(100);
  }
  assert.fail('the store did not come back');
}

const valuesOf = async (server: Served, q: string) => {
  const { results } = (await server.query(q)) as { results: { series?: { values: unknown[][] }[] }[] };
  return results[0]?.series?.[0]?.values;
};
const countOf = (text: string, words: RegExp) => [...text.matchAll(words)].length;

test('a store that another server has open is tried again until that one ends', async () => {
  const home = join(folder, 'held');
  const [first, second] = [await freeUdpPort(), await freeUdpPort()];
  const holder = await servePoints(home, { options: ['--udp-port', String(first)] });
  const waiting = await servePoints(home, { options: ['--udp-port', String(second)] });
  const refused = await waiting.write('m v=1 1');
  assert.equal(refused.status, 503);
  assert.match(await refused.text(), /The storage of points is unavailable: Another process writes.*retried/);
  const asked = await fetch(`${waiting.address}query?db=nightmark&q=SELECT+v+FROM+m`);
  assert.equal(asked.status, 503);
  assert.equal((await fetch(waiting.address)).status, 200);
  const status = await (await fetch(`${waiting.address}api/points/status`)).json();
  assert.match((status as { problem: string }).problem, /Another process writes/);
  assert.equal((await fetch(`${waiting.address}api/points/series`)).status, 503);
  assert.equal((await fetch(`${waiting.address}metrics`)).status, 200);
  await sendPackets(second, ['m v=3 3000000']);
  assert.equal((await holder.write('m v=1 1000000')).status, 204);
  assert.equal(await holder.stop(), 0);

  await untilWritten(waiting, 'm v=2 2000000');
  // The packet came while the store was away, and waited.
  for (let tries = 0; tries < 100 && (await valuesOf(waiting, 'SELECT v FROM m'))?.length !== 3; tries++)
    await sleep(50);
  assert.deepEqual(await valuesOf(waiting, 'SELECT v FROM m'), [
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  assert.equal(countOf(waiting.stderr(), /No points are taken or shown/g), 1, waiting.stderr());
  assert.equal(countOf(waiting.stderr(), /The storage of points is available now/g), 1);
  assert.equal(await waiting.stop(), 0);
});

test('a server ends at once while its store is away', async () => {
  const home = join(folder, 'ending');
  const holder = await servePoints(home, { options: ['--udp-port', '0'] });
  const waiting = await servePoints(home, { options: ['--udp-port', '0'] });
  assert.equal(await waiting.stop(), 0);
  // Without UDP there is no database yet.
  const names = async () => {
    const status = await (await fetch(`${holder.address}api/points/status`)).json();
    return (status as { databases: { database: string }[] }).databases.map(({ database }) => database);
  };
  assert.deepEqual(await names(), []);
  await holder.query('CREATE DATABASE "it\'s & mine"');
  assert.deepEqual(await names(), ["it's & mine"]);
  assert.equal(await holder.stop(), 0);
});

test('PostgreSQL may be away at the start and later', { skip: skipWithoutPostgres() }, async () => {
  const postgres = await PostgresServer.start();
  try {
    postgres.down('fast');
    const definition =
      'experiments: {}\nmetrics:\n  store: postgres\n  udp: {port: 0}\njobs:\n  store: postgres\n';
    const env = { NIGHTMARK_POSTGRES_URL: postgres.url('team') };
    const home = join(folder, 'pg');
    const server = await servePoints(home, { definition, env });
    assert.equal((await server.write('m v=1')).status, 503);
    const away = await fetch(`${server.address}api/jobs`);
    assert.equal(away.status, 503);
    assert.match(await away.text(), /"JOBS_AWAY"/);
    const status = await runBinary(['status', home], env);
    assert.match(status.stderr, /not counted: .*cannot be reached/);
    assert.equal(status.code, 0);

    postgres.up();
    for (let tries = 0; tries < 100 && (await server.write('m v=1')).status === 503; tries++)
      await sleep(100);
    for (let tries = 0; tries < 300 && (await jobsStatus(server)) === 503; tries++) await sleep(100);
    assert.equal(await jobsStatus(server), 200);
    await server.query('CREATE DATABASE nightmark');
    assert.equal((await server.write('m v=1 1000000')).status, 204);
    assert.match((await runBinary(['status', home], env)).stdout, /\nPoints: 1 in 1 series/);

    postgres.down('immediate');
    const refused = await server.write('m v=2 2000000');
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /cannot be reached/);
    assert.equal((await fetch(`${server.address}points`)).status, 200);
    assert.equal(
      (await fetch(`${server.address}api/points/latest?database=nightmark&measurement=m`)).status,
      503,
    );

    postgres.up();
    await untilWritten(server, 'm v=3 3000000');
    assert.deepEqual((await valuesOf(server, 'SELECT v FROM m'))?.at(-1), [3, 3]);
    // Points and jobs have a connection each, and that of the jobs was lost at the start as well.
    const lost = countOf(server.stderr(), /is lost; retrying/g);
    assert.ok(lost >= 2 && lost <= 3, server.stderr());
    assert.ok(countOf(server.stderr(), /is back\./g) >= 1, server.stderr());
    assert.equal(await server.stop(), 0);
  } finally {
    postgres.remove();
  }
});

async function jobsStatus({ address }: { readonly address: string }): Promise<number> {
  return (await fetch(`${address}api/jobs`)).status;
}
