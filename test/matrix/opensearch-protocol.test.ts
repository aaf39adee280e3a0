import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Payload } from '../../src/formats/core/kpi/kpi.ts';
import opensearch from '../../src/matrix/adapters/exporters/opensearch/opensearch.ts';
import type { ExportTarget, ImportedPayload } from '../../src/matrix/core/exporter.ts';
import { goldenPayloads } from '../support/golden-payloads.ts';
import { SearchServer } from '../support/search-server.ts';

const signal = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-opensearch-'));
const servers: SearchServer[] = [];
after(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

async function started(password?: string, tls?: { key: string; cert: string }) {
  const server = new SearchServer(password);
  servers.push(server);
  const target: ExportTarget = {
    place: await server.listen(tls),
    options: { name: 'tiny', pauseMs: '1' },
    secrets: {},
    isDryRun: false,
  };
  return { server, target };
}

const golden = goldenPayloads();
const idOf = (at: number) => golden[at]?.metadata.test_uuid ?? '';

test('an index that is not there is made with flat objects, 4 shards and 4000 fields', async () => {
  const { server, target } = await started();
  await opensearch.export(golden, target, signal);
  assert.deepEqual(server.indices.get('tiny')?.body, {
    settings: { index: { number_of_shards: 4, 'mapping.total_fields.limit': 4000 } },
    mappings: {
      properties: {
        metadata: { type: 'flat_object' },
        kpis: { type: 'flat_object' },
        results: { type: 'flat_object' },
        regression_results: { type: 'flat_object' },
      },
    },
  });
});

test('by KPI there is an index for each, under the id of the test', async () => {
  const { server, target } = await started();
  const byKpi = { ...target, options: { ...target.options, byKpi: 'true' } };
  const { sent } = await opensearch.export(golden, byKpi, signal);
  assert.equal(sent, golden.length);
  assert.deepEqual([...server.indices.keys()].sort(), [
    'tiny.tiny_memory',
    'tiny.tiny_samples',
    'tiny.tiny_throughput',
  ]);
  const documents = server.indices.get('tiny.tiny_throughput')?.documents;
  assert.equal(documents?.size, golden.length);
  assert.deepEqual(documents?.get(idOf(0)), golden[0]?.kpis['tiny_throughput']);
  const dry = await opensearch.export(golden.slice(0, 1), { ...byKpi, isDryRun: true }, signal);
  assert.deepEqual(dry.steps[0], `index tiny.tiny_throughput, id ${idOf(0)}`);
});

test('a KPI that can have no index is reported, and the others are sent', async () => {
  const { server, target } = await started();
  const [first] = golden;
  assert.ok(first);
  const kpis = { Loud: { value: 1 }, quiet: { value: 2 } };
  const byKpi = { ...target, options: { ...target.options, byKpi: 'true' } };
  const { sent, refused } = await opensearch.export([{ ...first, kpis }], byKpi, signal);
  assert.equal(sent, 0);
  assert.match(refused[0]?.reason ?? '', /tiny\.Loud: invalid_index_name_exception: .*lowercase/);
  assert.equal(server.indices.get('tiny.quiet')?.documents.size, 1);
});

test('more than 10,000 documents are read, page by page, and the scroll is closed', async () => {
  const { server, target } = await started();
  const [first] = golden;
  assert.ok(first);
  const many = Array.from({ length: 10_050 }, (_, at): Payload => {
    const test_uuid = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    return { metadata: { ...first.metadata, test_uuid }, results: {}, kpis: {} };
  });
  await opensearch.export(many, target, signal);
  const ids = new Set<string>();
  for await (const document of opensearch.import?.(target, signal) ?? [])
    ids.add((document as ImportedPayload).id);
  assert.equal(ids.size, 10_050);
  assert.equal(server.openScrolls, 0);
  // A reader that stops early leaves nothing open either.
  for await (const _ of opensearch.import?.(target, signal) ?? []) break;
  assert.equal(server.openScrolls, 0);
});

test('a busy server is asked again', async () => {
  const { server, target } = await started();
  server.busy.push({ status: 503 }, { status: 429 });
  server.refusals.set(idOf(1), {
    status: 429,
    error: { type: 'rejected_execution_exception', reason: 'full' },
  });
  const { sent, refused } = await opensearch.export(golden, target, signal);
  assert.deepEqual([sent, refused], [golden.length, []]);
  assert.equal(server.indices.get('tiny')?.documents.size, golden.length);
});

test('a document that is refused is reported with the reason, and the others are sent', async () => {
  const { server, target } = await started();
  server.refusals.set(idOf(2), {
    status: 400,
    error: { type: 'mapper_parsing_exception', reason: 'no good' },
  });
  const { sent, refused } = await opensearch.export(golden, target, signal);
  assert.equal(sent, golden.length - 1);
  assert.deepEqual(refused, [{ id: idOf(2), reason: 'tiny: mapper_parsing_exception: no good' }]);
});

test('what is in the index and is not a payload is reported', async () => {
  const { server, target } = await started();
  await opensearch.export(golden.slice(0, 1), target, signal);
  server.indices.get('tiny')?.documents.set('odd', { build: 4 });
  const found = [];
  for await (const document of opensearch.import?.(target, signal) ?? []) found.push(document);
  assert.deepEqual(found[1], { source: 'tiny/odd', reason: 'it has no metadata' });
});

test('an index that is not there cannot be read', async () => {
  const { target } = await started();
  const read = opensearch.import?.(target, signal)[Symbol.asyncIterator]();
  await assert.rejects(async () => read?.next(), { code: 'EXPORT_NO_INDEX', message: /no index "tiny"/ });
});

test('credentials are sent, and a refusal says how to give them', async () => {
  const { target } = await started('hush');
  await assert.rejects(opensearch.export(golden, target, signal), { code: 'EXPORT_DENIED' });
  const wrong = { ...target, secrets: { user: 'admin', password: 'guess' } };
  await assert.rejects(
    opensearch.export(golden, wrong, signal),
    ({ code, message }) => code === 'EXPORT_DENIED' && !message.includes('guess'),
  );
  const right = { ...target, secrets: { user: 'admin', password: 'hush' } };
  assert.equal((await opensearch.export(golden, right, signal)).sent, golden.length);
});

test('a certificate that nobody vouches for is refused, unless the user does', async () => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
  ];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...words, ...subject, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  const { target } = await started(undefined, tls);
  await assert.rejects(opensearch.export(golden, target, signal), { code: 'EXPORT_CERTIFICATE' });
  const trusting = { ...target, options: { ...target.options, ca: cert } };
  assert.equal((await opensearch.export(golden, trusting, signal)).sent, golden.length);
  const careless = { ...target, options: { ...target.options, insecure: 'true' } };
  assert.equal((await opensearch.export(golden, careless, signal)).sent, golden.length);
});

test('an interruption ends the waiting', async () => {
  const { server, target } = await started();
  server.busy.push({ status: 503 });
  const controller = new AbortController();
  const slow = { ...target, options: { ...target.options, pauseMs: '600000' } };
  const exporting = opensearch.export(golden, slow, controller.signal);
  setTimeout(() => controller.abort(), 50);
  await assert.rejects(exporting, { code: 'EXPORT_INTERRUPTED' });
});
