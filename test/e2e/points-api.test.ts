import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { PointsView } from '../../src/metrics/app/points-status.ts';
import { decodeWire } from '../../src/metrics/core/points/columns-wire.ts';
import { runBinary } from '../support/binary.ts';
import { killServers, servePoints } from '../support/serve-points.ts';
import { freeUdpPort } from '../support/udp.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-points-api-'));
after(() => {
  killServers();
  rmSync(folder, { recursive: true, force: true });
});

const COUNT = 6000;
const BUCKETS = 60;
const START = 1_700_000_000_000;
const valueAt = (i: number) => (i * 7919) % 1009;

/** What the answer has to be, counted here from what was sent. */
function expectedBuckets(): readonly (readonly number[])[] {
  const rows = Array.from({ length: BUCKETS }, (_, bucket) => {
    const size = COUNT / BUCKETS;
    const values = Array.from({ length: size }, (_, i) => valueAt(bucket * size + i));
    return [START + bucket * size * 1000, Math.min(...values), Math.max(...values), size];
  });
  return [0, 1, 2, 3].map((column) => rows.map((row) => row[column] as number));
}

test('points that were written come back as columns, before and after a restart, and are counted', async () => {
  const options = ['--udp-port', String(await freeUdpPort())];
  const home = join(folder, 'home');
  const lines = Array.from(
    { length: COUNT },
    (_, i) => `loss,job=7 value=${valueAt(i)} ${START + i * 1000}000000`,
  );
  const query = new URLSearchParams({
    ...{ database: 'nightmark', measurement: 'loss', field: 'value', 'tag.job': '7' },
    ...{ from: String(START), to: String(START + COUNT * 1000), buckets: String(BUCKETS) },
  });
  const columnsFrom = async (address: string) => {
    const bytes = await (await fetch(`${address}api/points?${query}`)).arrayBuffer();
    const { series } = decodeWire(new Uint8Array(bytes));
    return series.map(({ columns }) => columns.map((column) => [...column]));
  };

  const first = await servePoints(home, { options });
  assert.equal((await first.write(lines.join('\n'))).status, 204);
  assert.equal((await first.write('<b>loss</b> value=<i>')).status, 400);
  assert.deepEqual(await columnsFrom(first.address), [expectedBuckets()]);
  const told = await fetch(`${first.address}api/points/status`);
  assert.equal(told.headers.get('content-type'), 'application/json; charset=utf-8');
  const { ingest } = (await told.json()) as PointsView;
  assert.equal(ingest.latest[0]?.line, '<b>loss</b> value=<i>');
  const whileServed = await runBinary(['status', home]);
  assert.match(whileServed.stdout, /^Points: 6 000 in 1 series, \d.* \(6 000 not compressed yet\)$/m);
  assert.equal(await first.stop(), 0);

  const second = await servePoints(home, { options });
  assert.deepEqual(await columnsFrom(second.address), [expectedBuckets()]);
  assert.equal(await second.stop(), 0);
  const [database] = JSON.parse((await runBinary(['status', home, '--json'])).stdout).points.databases;
  assert.deepEqual(
    [database.database, database.series, database.points, database.waiting],
    ['nightmark', 1, COUNT, 0],
  );
});
