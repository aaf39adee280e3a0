import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { HorreumServer } from '../support/horreum-server.ts';
import { runInProcess } from '../support/in-process.ts';
import { serveFiles, startServer } from '../support/listing-server.ts';
import { SearchServer } from '../support/search-server.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-wiring-'));
after(() => rmSync(root, { recursive: true }));
const search = new SearchServer('secret');
const horreum = new HorreumServer(['tiny']);
after(() => {
  search.close();
  horreum.close();
});

const env = {
  NIGHTMARK_OPENSEARCH_SMOKE_URL: await search.listen(),
  NIGHTMARK_OPENSEARCH_SMOKE_USER: 'admin',
  NIGHTMARK_OPENSEARCH_SMOKE_PASSWORD: 'secret',
  NIGHTMARK_HORREUM_URL: await horreum.listen(),
};

function newPlace(name: string, block: string): string {
  const place = join(root, name);
  cpSync('test/golden/matrix/results', join(place, 'tree'), { recursive: true });
  cpSync('examples/matrix-tiny/tiny.workload.yml', join(place, 'tiny.yml'));
  writeFileSync(join(place, 'plots.yaml'), 'visualize:\n- generate: [KPI Plot]\n');
  writeFileSync(join(place, 'config.yaml'), `matbench:\n  workload: tiny.yml\n${block}`);
  return place;
}

function run(cwd: string, ...options: string[]) {
  return runInProcess(['matrix', 'process', '-c', 'config.yaml', ...options], { cwd, env });
}

test('payloads arrive at OpenSearch and Horreum; a history that is not there yet is not a failure of its step', async () => {
  const place = newPlace(
    'export',
    `  lts:
    horreum: {test_name: tiny}
    opensearch: {instance: smoke, index: tiny, index_prefix: t-, export: {enabled: true}}
    regression_analyses: {enabled: true}
`,
  );
  const { code, stdout } = await run(place, '--test-directory', 'tree');
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^done +history +there is no history yet/m);
  assert.match(stdout, /^done +analysis +6 KPI values .*: 6 without history/m);
  assert.match(stdout, /^done +export /m);
  assert.match(stdout, /^done +horreum /m);
  assert.ok(existsSync(join(place, 'artifacts/NO_HISTORICAL_RESULTS')));
  assert.equal(search.indices.get('t-tiny')?.documents.size, 4);
  assert.equal(horreum.runs.length, 4);
  const logs = readdirSync(join(place, 'artifacts')).filter((name) => name.endsWith('.log'));
  for (const log of logs) assert.ok(!readFileSync(join(place, 'artifacts', log), 'utf8').includes('secret'));

  const again = await run(place, '--test-directory', 'tree');
  assert.match(again.stdout, /^done +history +4 payloads/m);
  assert.equal(
    readdirSync(join(place, 'artifacts/history')).filter((name) => name.endsWith('.json')).length,
    4,
  );
  assert.equal(search.indices.get('t-tiny')?.documents.size, 4);
  assert.equal(existsSync(join(place, 'artifacts/NO_HISTORICAL_RESULTS')), false);
});

test('old results are downloaded from the address of a preset, drawn, kept, and not exported', async () => {
  const files: Record<string, string> = {};
  const tree = 'test/golden/matrix/results/expe';
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true, encoding: 'utf8' })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[path.slice(tree.length + 1)] = readFileSync(path, 'utf8');
  }
  const server = await startServer(serveFiles(files));
  try {
    const place = newPlace(
      'download',
      `  preset: ${server.url}/
  download: {mode: all, save_to_artifacts: true}
  lts: {opensearch: {instance: smoke, index: old, export: {enabled: true}}}
`,
    );
    const { code, stdout } = await run(place);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^done +download /m);
    assert.match(stdout, /^done +parse +4 entries/m);
    assert.match(stdout, /^skipped +export +the results were downloaded/m);
    assert.equal(search.indices.has('old'), false);
    assert.ok(existsSync(join(place, 'artifacts/downloaded/expe/from_url/000__m1_4/settings.yaml')));
    assert.ok(existsSync(join(place, 'artifacts/reports/fig_00_kpi_plot.svg')));
  } finally {
    await server.close();
  }
});

test('a server that refuses the credentials fails the export by name, and the reports are there', async () => {
  const place = newPlace(
    'refused',
    '  lts: {opensearch: {instance: smoke, index: x, export: {enabled: true}}}\n',
  );
  const words = ['matrix', 'process', '-c', 'config.yaml', '--test-directory', 'tree'];
  const wrong = { ...env, NIGHTMARK_OPENSEARCH_SMOKE_PASSWORD: 'wrong' };
  const { code, stdout } = await runInProcess(words, { cwd: place, env: wrong });
  assert.equal(code, 1);
  assert.match(stdout, /^failed +export /m);
  assert.match(stdout, /^done +visualize /m);
  assert.match(readFileSync(join(place, 'artifacts/FAILURE'), 'utf8'), /^export:\nerror: /);
});
