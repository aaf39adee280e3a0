import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Payload } from '../../src/formats/core/kpi/kpi.ts';
import { payloadPoints } from '../../src/formats/core/kpi/read-payload.ts';
import caliper from '../../src/matrix/adapters/exporters/caliper/caliper.ts';
import csv from '../../src/matrix/adapters/exporters/csv/csv.ts';
import horreum from '../../src/matrix/adapters/exporters/horreum/horreum.ts';
import influx from '../../src/matrix/adapters/exporters/influx/influx.ts';
import payloadFiles from '../../src/matrix/adapters/exporters/payload-files/payload-files.ts';
import { importPayloads } from '../../src/matrix/app/transfer-payloads.ts';
import type { Exporter, ExportTarget } from '../../src/matrix/core/exporter.ts';
import { parseFilters } from '../../src/matrix/core/filters.ts';
import { GOLDEN_LTS, goldenPayloads } from '../support/golden-payloads.ts';
import { HorreumServer } from '../support/horreum-server.ts';
import { InfluxServer } from '../support/influx-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-export-'));
const signal = new AbortController().signal;
after(() => rmSync(folder, { recursive: true }));

function at(place: string, more: Partial<ExportTarget> = {}): ExportTarget {
  return { place, options: { name: 'tests', pauseMs: '1' }, secrets: {}, isDryRun: false, ...more };
}

function read(exporter: Exporter, place: string, filter = '') {
  return importPayloads({ exporter, target: at(place), filters: parseFilters(filter) }, signal);
}

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function history(payloads: readonly Payload[]) {
  const points = payloads.flatMap(payloadPoints).map((point) => JSON.stringify(point));
  return points.sort();
}

/** The payloads as Caliper itself would have written them: nothing of ours in them. */
function asCaliper(payloads: readonly Payload[]) {
  return payloads.map(({ metadata, kpis }) => ({
    run_id: String(metadata.settings['run_id']),
    labels: metadata.settings,
    metadata: { timestamp: metadata.start, run_id: String(metadata.settings['run_id']) },
    kpis: Object.entries(kpis).map(([id, { value, unit, help, lower_better }]) => ({
      ...{ id, value: value ?? null, unit, help, name: id, is_curve: false },
      higher_is_better: lower_better !== true,
    })),
  }));
}

test('KPI files of schema 2 and payload files give the same history', async () => {
  const golden = goldenPayloads();
  const file = write('kpis.json', { schema_version: '2', tests: asCaliper(golden) });
  const successor = await read(caliper, file);
  const legacy = await read(payloadFiles, GOLDEN_LTS);
  assert.equal(legacy.payloads.length, golden.length);
  assert.ok(history(legacy.payloads).length > 90);
  assert.deepEqual(history(successor.payloads), history(legacy.payloads));
  assert.deepEqual((await read(caliper, file)).payloads, successor.payloads);
});

test('KPI files of schema 1 give the same history, and a broken line is reported', async () => {
  const lines = asCaliper(goldenPayloads()).flatMap(({ run_id, labels, metadata, kpis }) =>
    kpis.map(({ id, ...kpi }) =>
      JSON.stringify({
        schema_version: '1',
        kpi_id: id,
        run_id,
        timestamp: metadata.timestamp,
        labels,
        metadata: {},
        ...kpi,
      }),
    ),
  );
  const file = write('kpis.jsonl', `${lines.join('\n')}\n{"kpi_id"\n{"other": 1}\n`);
  const { payloads, refused } = await read(caliper, file);
  assert.deepEqual(history(payloads), history(goldenPayloads()));
  assert.equal(refused.length, 2);
  assert.match(refused[0]?.source ?? '', new RegExp(`line ${lines.length + 1}$`));
  assert.equal(refused[1]?.reason, 'it has no kpi_id');
});

test('curves are read in every form that Caliper wrote, and written as it reads them', async () => {
  const common = { name: 'c', help: 'h', higher_is_better: true, x_unit: 'users', y_unit: 'ms' };
  const pairs = [
    [1, 10],
    [2, 15],
  ];
  const points = { data_points: pairs.map(([x, y]) => ({ x, y })), count: 2 };
  const kpis = [
    { ...common, kpi_id: 'now', is_curve: true, values: pairs },
    { ...common, id: 'old', is_2d: true, value: points },
    { ...common, id: 'tuples', is_2d: true, value: pairs },
  ];
  const tests = [
    { run_id: 'r', labels: { model: 'm1' }, metadata: { timestamp: '2026-01-01T00:00:00Z' }, kpis },
  ];
  const { payloads } = await read(caliper, write('curves.json', { schema_version: '2', tests }));
  const [payload] = payloads;
  for (const name of ['now', 'old', 'tuples']) {
    const { x_values, value, unit, lower_better, model } = payload?.kpis[name] ?? {};
    assert.deepEqual(
      { x_values, value, unit, lower_better, model },
      {
        ...{ x_values: [1, 2], value: [10, 15], unit: 'ms', lower_better: false, model: 'm1' },
      },
    );
  }
  const again = join(folder, 'again.json');
  await caliper.export(payloads, at(again), signal);
  assert.deepEqual((await read(caliper, again)).payloads, payloads);
});

test('a file that is neither is refused', async () => {
  await assert.rejects(read(caliper, write('other.json', { schema_version: '3' })), {
    code: 'EXPORT_BAD_KPI_FILE',
  });
  await assert.rejects(read(csv, write('other.csv', 'a,b\n1,2\n')), { code: 'EXPORT_BAD_TABLE' });
  await assert.rejects(read(csv, join(folder, 'nowhere.csv')), { code: 'EXPORT_NO_SOURCE' });
});

test('folders with the anchor are read, but not those that say skip; broken files and null are reported', async () => {
  const tree = join(folder, 'tree');
  cpSync(GOLDEN_LTS, join(tree, 'a', 'kept'), { recursive: true });
  cpSync(GOLDEN_LTS, join(tree, 'b'), { recursive: true });
  writeFileSync(join(tree, 'b', 'skip'), '');
  mkdirSync(join(tree, 'c'));
  writeFileSync(join(tree, 'c', 'no-anchor.json'), '{}');
  writeFileSync(join(tree, 'a', 'kept', '.hidden'), 'not looked at');
  writeFileSync(join(tree, 'a', 'kept', 'broken.json'), '{');
  const [first] = goldenPayloads();
  assert.ok(first);
  const kpis = { ...first.kpis, tiny_memory: { ...first.kpis['tiny_memory'], value: null } };
  writeFileSync(join(tree, 'a', 'kept', 'null.json'), JSON.stringify({ ...first, kpis }));
  const { payloads, refused, notes } = await read(payloadFiles, tree);
  assert.equal(payloads.length, goldenPayloads().length + 1);
  assert.deepEqual(
    refused.map(({ source }) => source),
    [join(tree, 'a/kept/broken.json')],
  );
  assert.deepEqual(notes, [
    `${join(tree, 'a/kept/null.json')}: tiny_memory has no value, and is left out of histories`,
  ]);
  await assert.rejects(read(payloadFiles, join(tree, 'c')), { code: 'EXPORT_NO_PAYLOADS' });
});

test('filters hold for labels, and all tests of one version are kept', async () => {
  const { payloads } = await read(payloadFiles, GOLDEN_LTS, 'model_name=m1,virtual_users=4');
  const expected = goldenPayloads().filter(
    ({ metadata: { settings } }) => settings['model_name'] === 'm1' && settings['virtual_users'] === 4,
  );
  assert.ok(expected.length > 3);
  assert.equal(payloads.length, expected.length);
});

test('a changed cell of a table counts, a broken row is reported', async () => {
  const file = write(
    'edited.csv',
    'test_uuid,start,label.model,kpi.speed,payload\ntext,text,text,number,json\nu1,2024-01-10T10:00:00,m1,12.5,\nu2,,m1,fast,\nu3\n',
  );
  const { payloads, refused } = await read(csv, file);
  assert.deepEqual(payloads, [
    {
      results: {},
      metadata: { settings: { model: 'm1' }, test_uuid: 'u1', start: '2024-01-10T10:00:00' },
      kpis: { speed: { value: 12.5 } },
    },
  ]);
  assert.deepEqual(
    refused.map(({ source }) => source),
    [`${file}, row 2`, `${file}, row 3`],
  );
});

test('influx: a point that is refused is reported, the others are sent; a database must be there', async () => {
  const server = new InfluxServer(['tests']);
  const place = await server.listen();
  try {
    const [first, second] = goldenPayloads();
    assert.ok(first && second);
    const kpis = { poison: { ...first.kpis['tiny_memory'] } };
    const { sent, refused } = await influx.export([{ ...first, kpis }, second], at(place), signal);
    assert.equal(sent, 1);
    assert.equal(refused[0]?.id, first.metadata.test_uuid);
    assert.match(refused[0]?.reason ?? '', /unable to parse/);
    assert.equal(server.points.size, 4); // three KPIs, and the whole payload
    const other = at(place, { options: { name: 'other' } });
    await assert.rejects(influx.export([second], other, signal), { code: 'EXPORT_NO_INDEX' });
  } finally {
    server.close();
  }
});

test('horreum: a run has times, description and data; keys go into their header', async () => {
  const server = new HorreumServer(['tests'], 'HUSR_1');
  const place = await server.listen();
  try {
    const [first] = goldenPayloads();
    assert.ok(first);
    await assert.rejects(horreum.export([first], at(place), signal), { code: 'EXPORT_DENIED' });
    const secrets = { token: 'HUSR_1' };
    const broken = { ...first, metadata: { ...first.metadata, start: 'soon', test_uuid: 'u' } };
    const { sent, refused } = await horreum.export([broken, first], at(place, { secrets }), signal);
    assert.equal(sent, 1);
    assert.deepEqual(
      refused.map(({ id }) => id),
      ['u'],
    );
    const [start, stop] = ['1704880800000', '1704881100000'];
    const facts = {
      id: 1,
      test: 'tests',
      description: first.metadata.test_uuid,
      start,
      stop,
      access: 'PUBLIC',
    };
    assert.deepEqual(server.runs, [{ ...facts, data: first }]);
    const other = at(place, { secrets, options: { name: 'other' } });
    await assert.rejects(horreum.export([first], other, signal), { code: 'EXPORT_NO_INDEX' });
  } finally {
    server.close();
  }
});

test('what cannot be read back says so', async () => {
  await assert.rejects(read(horreum, 'http://127.0.0.1:9'), { code: 'EXPORT_NO_IMPORT' });
});
