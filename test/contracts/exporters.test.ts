import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Payload } from '../../src/formats/core/kpi/kpi.ts';
import type { Exporter, ExportTarget } from '../../src/matrix/core/exporter.ts';
import { adapterIds } from '../../src/platform/cli/adapters.ts';
import { anyPayloads, goldenPayloads } from '../support/golden-payloads.ts';
import { HorreumServer } from '../support/horreum-server.ts';
import { InfluxServer } from '../support/influx-server.ts';
import { SearchServer } from '../support/search-server.ts';

// What servers and files refuse (4 and 6 of the contract) differs: test/matrix/{opensearch-protocol,exporters-details}.test.ts.
const root = new URL('../../src/matrix/adapters/exporters/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'nightmark-exporters-'));
const signal = new AbortController().signal;
const search = new SearchServer();
const influx = new InfluxServer(['tests']);
const horreum = new HorreumServer(['tests']);
after(() => {
  for (const server of [search, influx, horreum]) server.close();
  rmSync(folder, { recursive: true });
});

const addresses: Record<string, string> = {
  opensearch: await search.listen(),
  influx: await influx.listen(),
  horreum: await horreum.listen(),
};
/** What is there, to compare. */
const states: Record<string, () => unknown> = {
  opensearch: () => [...search.indices].map(([name, { documents }]) => [name, [...documents]]),
  influx: () => [...influx.points].sort(),
  horreum: () => horreum.runs,
};
const isInstalled = await import(`@duckdb/${'node-api'}`).then(
  () => true,
  () => false,
);

let places = 0;
function newTarget(id: string): ExportTarget {
  const address = addresses[id];
  const place = address ?? join(folder, `${id}-${places++}`);
  return { place, options: { name: 'tests', now: '0', pauseMs: '1' }, secrets: {}, isDryRun: false };
}

for (const id of adapterIds('exporters')) {
  const { default: exporter } = (await import(new URL(`${id}/${id}.js`, root).href)) as { default: Exporter };
  const why = 'npm install @duckdb/node-api enables it';
  const skip = id === 'parquet' && !isInstalled ? why : false;
  const golden = goldenPayloads();

  test(`${id}: its id is the name of its folder, and what it declares is what it has`, () => {
    assert.equal(exporter.id, id);
    assert.equal(exporter.canImport, exporter.import !== undefined);
    assert.ok(exporter.title.length > 3);
  });

  test(`${id} 1: exporting the same payloads again changes nothing there`, { skip }, async () => {
    const target = newTarget(id);
    const first = await exporter.export(golden, target, signal);
    assert.deepEqual([first.sent, first.refused], [golden.length, []]);
    const before = stateOf(id, target);
    const second = await exporter.export(golden, target, signal);
    assert.deepEqual([second.sent, second.refused], [golden.length, []]);
    assert.deepEqual(stateOf(id, target), before);
  });

  if (exporter.import) {
    test(`${id} 2: what was exported is read back equal`, { skip }, async () => {
      const target = newTarget(id);
      await exporter.export(golden, target, signal);
      assert.deepEqual(await readBack(exporter, target), byId(golden));
    });

    test(`${id} 2: any payloads are read back equal`, { skip }, async () => {
      await fc.assert(
        fc.asyncProperty(anyPayloads(), async (payloads) => {
          if (id === 'opensearch') search.indices.clear();
          if (id === 'influx') influx.points.clear();
          const target = newTarget(id);
          await exporter.export(payloads, target, signal);
          assert.deepEqual(await readBack(exporter, target), byId(payloads));
        }),
        { numRuns: id === 'parquet' ? 10 : 60, seed: 4 },
      );
    });
  }

  test(`${id} 3: a dry run says what would be sent, and sends nothing`, { skip }, async () => {
    const target = { ...newTarget(id), isDryRun: true };
    const before = stateOf(id, target);
    const { sent, steps } = await exporter.export(golden, target, signal);
    assert.equal(sent, 0);
    assert.ok(steps.length > 0);
    assert.deepEqual(stateOf(id, target), before);
  });

  if (addresses[id] !== undefined) {
    test(`${id} 5: a server that is not there is named, without secrets`, async () => {
      const target = {
        ...newTarget(id),
        place: 'http://127.0.0.1:9/',
        secrets: { user: 'me', password: 'hush' },
      };
      await assert.rejects(exporter.export(golden, target, signal), (error: Error & { code: string }) => {
        assert.equal(error.code, 'EXPORT_UNREACHABLE');
        assert.match(error.message, /http:\/\/127\.0\.0\.1:9\//);
        assert.doesNotMatch(error.message, /hush/);
        return true;
      });
    });

    test(`${id} 5: a password in an address is refused, and not repeated`, async () => {
      const target = { ...newTarget(id), place: 'http://me:hush@127.0.0.1:9' };
      await assert.rejects(
        exporter.export(golden, target, signal),
        ({ code, message }) => code === 'EXPORT_SECRET_IN_ADDRESS' && !message.includes('hush'),
      );
    });
  }
}

function stateOf(id: string, { place }: ExportTarget): unknown {
  const state = states[id];
  if (state) return structuredClone(state());
  if (!existsSync(place)) return undefined;
  if (statSync(place).isFile()) return readFileSync(place, 'base64');
  return readdirSync(place).map((name) => [name, readFileSync(join(place, name), 'utf8')]);
}

async function readBack(exporter: Exporter, target: ExportTarget): Promise<readonly Payload[]> {
  const payloads: Payload[] = [];
  for await (const document of exporter.import?.(target, signal) ?? []) {
    assert.ok('payload' in document, JSON.stringify(document));
    assert.equal(document.id, document.payload.metadata.test_uuid);
    payloads.push(document.payload);
  }
  return byId(payloads);
}

function byId(payloads: readonly Payload[]): readonly Payload[] {
  return [...payloads].sort((a, b) => (a.metadata.test_uuid < b.metadata.test_uuid ? -1 : 1));
}
