import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import localDisk from '../../src/platform/adapters/local-disk/local-disk.ts';
import { createServer } from '../../src/server/create-server.ts';
import { memoryPoints } from '../support/memory-points.ts';
import { oddBodies } from '../support/odd-lines.ts';
import { freePort, type RealServer, skipWithout, startReal } from '../support/real-server.ts';

const skip = skipWithout('influxd', 'apt-get install influxdb');
const folder = mkdtempSync(join(tmpdir(), 'nightmark-lines-'));
let server: RealServer | undefined;
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

async function startInflux(): Promise<string> {
  const [port, backup] = [await freePort(), await freePort()];
  const config = join(folder, 'influx.conf');
  writeFileSync(
    config,
    `reporting-disabled = true\nbind-address = "127.0.0.1:${backup}"\n[meta]\ndir = "${folder}/meta"\n[data]\ndir = "${folder}/data"\nwal-dir = "${folder}/wal"\n[http]\nbind-address = "127.0.0.1:${port}"\nlog-enabled = false\n`,
  );
  server = await startReal({ program: 'influxd', args: ['-config', config], port, path: '/ping' });
  return server.url;
}

interface Outcome {
  readonly status: number;
  readonly body: string;
  readonly header: string | null;
  /** Measurement, field and type of all there is afterwards. */
  readonly fields: readonly string[];
}

type Answer = { results: { series?: { name: string; values: [string, string][] }[] }[] };

async function tellInflux(url: string, database: string, body: string): Promise<Outcome> {
  const ask = async (q: string) =>
    (await (
      await fetch(`${url}/query?db=${database}`, { method: 'POST', body: new URLSearchParams({ q }) })
    ).json()) as Answer;
  await ask(`CREATE DATABASE "${database}"`);
  const written = await fetch(`${url}/write?db=${database}`, { method: 'POST', body });
  const series = (await ask('SHOW FIELD KEYS')).results[0]?.series ?? [];
  return {
    status: written.status,
    body: await written.text(),
    header: written.headers.get('x-influxdb-error'),
    fields: series
      .flatMap(({ name, values }) => values.map((pair) => JSON.stringify([name, ...pair])))
      .sort(),
  };
}

/** One server of ours for all databases: starting it costs more than a write. */
function startOurs(databases: readonly string[]) {
  const points = {
    ...memoryPoints([...databases]),
    keepsNotFinite: false,
    nextTimestamp: () => ({ ms: Date.now(), ns: 0 }),
    packets: async () => ({ isListening: false }),
  };
  const effects = { disk: localDisk, clock: { now: () => 0 }, index: { current: async () => undefined } };
  const app = createServer(
    { home: '/nowhere', isLoopback: true },
    { ...effects, report: (line) => assert.fail(line), points },
  );
  return { app, points };
}

async function tellOurs(
  { app, points }: ReturnType<typeof startOurs>,
  database: string,
  body: string,
): Promise<Outcome> {
  const written = await app.inject({
    method: 'POST',
    url: `/write?db=${database}`,
    payload: body,
    headers: { host: 'localhost' },
  });
  const columns = points.book.columns(database);
  const fields = columns.map(({ measurement, field, type }) => JSON.stringify([measurement, field, type]));
  const header = written.headers['x-influxdb-error'];
  return {
    status: written.statusCode,
    body: written.body,
    header: header === undefined ? null : String(header),
    fields: [...new Set(fields)].sort(),
  };
}

test('hundreds of odd writes get the status, the text and the fields that a real InfluxDB gives', {
  skip,
}, async () => {
  const url = await startInflux();
  const bodies = oddBodies(300, 20_26);
  const ourServer = startOurs(bodies.map((_, index) => `d${index}`));
  for (const [index, body] of bodies.entries()) {
    const real = await tellInflux(url, `d${index}`, body);
    const ours = await tellOurs(ourServer, `d${index}`, body);
    assert.deepEqual(comparable(ours, body), comparable(real, body), JSON.stringify(body));
  }
});

/**
 * What both must agree on. Bytes beyond ASCII in a header are shown by each client in its own way; and of a name with two
 * backslashes in a row InfluxDB itself takes the point and then does not list it.
 */
function comparable(outcome: Outcome, body: string): Partial<Outcome> {
  const { header, fields, ...rest } = outcome;
  return { ...rest, ...(!body.includes('é') && { header }), ...(!body.includes('\\\\') && { fields }) };
}
