import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Payload } from '../../src/formats/core/kpi/kpi.ts';
import { runBinary } from '../support/binary.ts';
import { GOLDEN_LTS, goldenPayloads } from '../support/golden-payloads.ts';
import { freePort, type RealServer, skipWithout, startReal } from '../support/real-server.ts';

const skip = skipWithout('influxd', 'apt-get install influxdb');
const folder = mkdtempSync(join(tmpdir(), 'nightmark-influx-'));
let server: RealServer | undefined;
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

async function start(): Promise<string> {
  const [port, backup] = [await freePort(), await freePort()];
  const config = join(folder, 'influx.conf');
  writeFileSync(
    config,
    `reporting-disabled = true
bind-address = "127.0.0.1:${backup}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
[http]
  bind-address = "127.0.0.1:${port}"
`,
  );
  server = await startReal({ program: 'influxd', args: ['-config', config], port, path: '/ping' });
  return server.url;
}

type Row = readonly unknown[];

async function query(url: string, words: string): Promise<readonly Row[]> {
  const body = new URLSearchParams({ q: words, db: 'tests', epoch: 'ns' });
  const answer = await fetch(`${url}/query`, { method: 'POST', body });
  const { results } = (await answer.json()) as { results: { series?: { values: Row[] }[] }[] };
  return results[0]?.series?.[0]?.values ?? [];
}

const numbers = (list: readonly unknown[]) => list.map(Number).sort((a, b) => a - b);

test('a real InfluxDB takes the points of payloads, and the same points once', { skip }, async () => {
  const url = await start();
  const send = (...more: string[]) =>
    runBinary(['matrix', 'export', GOLDEN_LTS, '--to', `influx:${url}#tests`, ...more]);
  const early = await send();
  assert.equal(early.code, 1);
  assert.match(early.stderr, /has no database "tests"[\s\S]*CREATE DATABASE/);
  await query(url, 'CREATE DATABASE "tests"');
  const golden = goldenPayloads();
  for (let round = 0; round < 2; round++) assert.equal((await send()).code, 0);
  const found = await query(url, 'SELECT value, model_name, test_uuid FROM tiny_throughput');
  assert.deepEqual(
    numbers(found.map(([, value]) => value)),
    numbers(golden.map(({ kpis }) => kpis['tiny_throughput']?.['value'])),
  );
  assert.deepEqual(
    found.map(([, , , id]) => id).sort(),
    golden.map(({ metadata }) => metadata.test_uuid).sort(),
  );
});

test('what a real InfluxDB was sent is read back equal', { skip }, async () => {
  const url = server?.url ?? assert.fail('it did not start');
  const target = join(folder, 'back');
  const ran = await runBinary(['matrix', 'import', '--from', `influx:${url}#tests`, '--to', target]);
  assert.equal(ran.code, 0, ran.stderr);
  const files = readdirSync(target).filter((name) => name.endsWith('.json'));
  const byId = (a: Payload, b: Payload) => (a.metadata.test_uuid < b.metadata.test_uuid ? -1 : 1);
  const back = files.map((name) => JSON.parse(readFileSync(join(target, name), 'utf8')) as Payload);
  assert.deepEqual(back.sort(byId), [...goldenPayloads()].sort(byId));
});

test('a payload that a real InfluxDB refuses is named, and the others are sent', { skip }, async () => {
  const url = server?.url ?? assert.fail('it did not start');
  await query(url, 'CREATE DATABASE "tests"');
  const [first, second] = goldenPayloads();
  assert.ok(first && second);
  const odd = 'a "b", =\\';
  const kpis = { 'odd kpi,=': { ...first.kpis['tiny_throughput'], value: 1.5, 'k =,': odd } };
  const files = [
    { ...first, kpis },
    { ...second, metadata: { ...second.metadata, start: '9999-01-01T00:00:00' }, kpis: late(second.kpis) },
  ].map((payload, index) => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, JSON.stringify(payload));
    return file;
  });
  const { code, stderr, stdout } = await runBinary([
    'matrix',
    'export',
    ...files,
    '--to',
    `influx:${url}#tests`,
  ]);
  assert.equal(code, 1, stdout);
  assert.match(stderr + stdout, new RegExp(second.metadata.test_uuid));
  const rows = await query(url, 'SELECT value, "k =," FROM "odd kpi,="');
  assert.deepEqual(
    rows.map(([, value, label]) => [value, label]),
    [[1.5, 'a "b", =']],
  );
});

/** A time that nanoseconds of 64 bits do not reach. */
function late(kpis: ReturnType<typeof goldenPayloads>[number]['kpis']) {
  const entries = Object.entries(kpis).map(([name, kpi]) => [
    name,
    { ...kpi, '@timestamp': '9999-01-01T00:00:00' },
  ]);
  return Object.fromEntries(entries);
}
