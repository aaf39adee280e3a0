import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { watchIndex } from '../../src/home/cli/home-index.ts';
import localDisk from '../../src/platform/adapters/local-disk/local-disk.ts';
import { createServer } from '../../src/server/create-server.ts';
import { frozenClock, runInProcess } from '../support/in-process.ts';

const WORKLOAD = join(process.cwd(), 'dist/test/support/tiny-kpis.js');
const EXPECTED = join(process.cwd(), 'test/golden/matrix/expected');
const folder = mkdtempSync(join(tmpdir(), 'nightmark-kpi-'));
after(() => rmSync(folder, { recursive: true }));

let trees = 0;
function newTree(): string {
  const tree = `tree-${trees++}`;
  cpSync('test/golden/matrix/results', join(folder, tree), { recursive: true });
  return tree;
}

const kpi = (tree: string, ...options: string[]) => kpiOf(WORKLOAD, tree, ...options);

function kpiOf(workload: string, tree: string, ...options: string[]) {
  const clock = frozenClock('2024-09-05T00:00:00Z');
  return runInProcess(['matrix', 'kpi', tree, '--workload', workload, ...options], { cwd: folder, clock });
}

test('the table has a line for each test', async () => {
  const { code, stdout } = await kpi(newTree());
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `model_name  virtual_users  tiny_throughput  tiny_memory       tiny_samples
m1          4                 100.00 req/s       2.0 GB  1, 2, 3.5 ms list
m1          16                210.00 req/s       4.0 GB  1, 2, 3.5 ms list
m2          4                  50.00 req/s       1.0 GB  1, 2, 3.5 ms list
m2          128               400.00 req/s       8.8 GB  1, 2, 3.5 ms list
`,
  );
});

const EXAMPLES = join(process.cwd(), 'examples/matrix-tiny');
const sorted = (documents: readonly Document[]) =>
  [...documents].sort((a, b) => (a.metadata.test_uuid < b.metadata.test_uuid ? -1 : 1));
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

for (const workload of [WORKLOAD, join(EXAMPLES, 'tiny.workload.yml'), join(EXAMPLES, 'tiny.workload.mjs')]) {
  test(`payloads of ${basename(workload)} are those of the original, with their anchor and schema`, async () => {
    const kept = `kept-${basename(workload)}`;
    const options = ['--payloads', kept, '--schema', `${kept}.json`, '--filter', 'model_name=m1:m2'];
    const { code, stderr } = await kpiOf(workload, newTree(), ...options);
    assert.equal(code, 0);
    assert.match(stderr, /4 payloads written to kept-/);
    const dir = join(folder, kept);
    const names = readdirSync(dir).sort();
    assert.deepEqual(names, [
      'source.lts.yaml',
      ...['abc0', 'abc1', 'abc2', 'abc3'].map((id) => `tiny_00000000-0000-4000-8000-00000000${id}.json`),
    ]);
    assert.equal(
      readFileSync(join(dir, 'source.lts.yaml'), 'utf8'),
      `date: '2024-09-05T00:00:00.000000Z'\nfilters: ["model_name=m1:m2"]\nindex: "tiny"\n`,
    );
    const texts = names.slice(1).map((name) => readFileSync(join(dir, name), 'utf8'));
    assert.ok(texts.every((text) => text.startsWith('{\n    "metadata": {\n') && text.endsWith('}\n')));
    const golden = readJson(join(EXPECTED, 'lts_payload.json')) as Document[];
    assert.deepEqual(
      texts.map((text) => JSON.parse(text) as Document),
      sorted(golden),
    );
    const mapping = readJson(join(folder, 'opensearch_mapping.json')) as {
      mappings: { properties: Record<string, { properties: Record<string, unknown> }> };
    };
    const { metadata } = mapping.mappings.properties;
    assert.deepEqual(metadata?.properties['start'], { type: 'date' });
    assert.deepEqual(metadata?.properties['exit_code'], { type: 'long' });
    assert.doesNotMatch(JSON.stringify(mapping), /\$ref|allOf/);
    const schema = readJson(join(folder, `${kept}.json`));
    assert.deepEqual(ordered(schema), ordered(readJson(join(EXPECTED, 'lts_payload.schema.json'))));
  });
}

/** The order in which a schema lists required fields means nothing. */
function ordered(schema: unknown): unknown {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'required' && Array.isArray(value) ? [...value].sort() : value,
  );
  return JSON.parse(text) as unknown;
}

test('a full format is the whole text of a KPI, and a format that cannot be used is reported with its line', async () => {
  const yaml = readFileSync(join(EXAMPLES, 'tiny.workload.yml'), 'utf8');
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  const full = yaml.replace(
    'unit: ms list',
    "unit: ms list\n    full-format: '{p50:.1f} ms, at most {max:.1f} ms'",
  );
  const { stdout } = await kpiOf(file('full.yml', full), newTree());
  assert.match(stdout, /^m1 +4 .* 2\.0 ms, at most 3\.5 ms$/m);
  const wrong = await kpiOf(file('wrong.yml', yaml.replace("'{:.2f}'", "'{:.2q}'")), newTree());
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /wrong\.yml:\d+:\d+.*the type "q" is not supported/);
});

interface Document {
  readonly metadata: { readonly test_uuid: string };
}

test('JSON and CSV have every value of every test, and a filter counts', async () => {
  const tree = newTree();
  const json = JSON.parse((await kpi(tree, '--json', '--filter', 'model_name=m1')).stdout) as Record<
    string,
    unknown
  >[];
  assert.equal(json.length, 6);
  const { labels, location, ...facts } = json[1] ?? {};
  assert.equal(location, `${tree}/expe/000__m1_4`);
  assert.equal((labels as { virtual_users: number }).virtual_users, 4);
  assert.deepEqual(facts, {
    ...{ kpi: 'tiny_memory', value: 2048, text: '2.0 GB', unit: 'MB', help: 'Peak memory', better: 'lower' },
    ...{ ignored_for_regression: false, timestamp: '2024-09-02T10:00:00.000Z' },
    test_uuid: '00000000-0000-4000-8000-00000000abc0',
  });
  const { stdout } = await kpi(tree, '--format', 'csv', '--output', '-');
  const lines = stdout.split('\n');
  assert.equal(lines.length, 14);
  assert.match(lines[3] ?? '', /^tiny_samples,"\[1,2,3\.5\]",ms list,lower,2024-09-02T10:00:00\.000Z,/);
});

test('--compat prints the text of the original', async () => {
  const { stdout } = await kpi(
    newTree(),
    '-f',
    'openmetrics',
    '--compat',
    '--filter',
    'model_name=m1,virtual_users=4',
  );
  assert.equal(stdout, readFileSync(join(EXPECTED, 'openmetrics_tostr.txt'), 'utf8'));
});

test('a test without a value is shown without it, and not kept', async () => {
  const tree = newTree();
  const result = join(folder, tree, 'expe/000__m1_4/000__run/result.json');
  writeFileSync(result, readFileSync(result, 'utf8').replace('"memory_mb": 2048.0,', ''));
  const shown = await kpi(tree);
  assert.equal(shown.code, 0);
  assert.match(shown.stdout, /^m1 +4 +100\.00 req\/s +--- MB/m);
  assert.match(shown.stderr, /000__m1_4: tiny_memory: there is no memory_mb\n/);
  assert.equal((await kpi(tree, '--strict')).code, 1);
  const kept = await kpi(tree, '--payloads', 'partly', '--format', 'openmetrics');
  assert.equal(kept.code, 1);
  assert.match(kept.stderr, /000__m1_4: results\.memory_mb must not be null\n/);
  assert.match(kept.stderr, /3 payloads written/);
  assert.match(
    kept.stderr,
    /not in the metrics: tiny_memory has no value at model_name=m1, version=1\.13\.0, virtual_users=4\n/,
  );
  assert.equal(readdirSync(join(folder, 'partly')).length, 4);
});

test('two tests with one id are reported, and the first is used', async () => {
  const tree = newTree();
  const id = (test: string) => join(folder, tree, 'expe', test, '.uuid');
  cpSync(id('000__m1_4'), id('001__m1_16'));
  const { code, stderr } = await kpi(tree, '--payloads', 'twice');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /001__m1_16: its test_uuid 0{8}-0{4}-4000-8000-0{8}abc0 is that of tree-\d+\/expe\/000__m1_4/,
  );
});

test('invalid options are refused', async () => {
  const tree = newTree();
  const format = await kpi(tree, '--format', 'xml');
  assert.equal(format.code, 1);
  assert.match(format.stderr, /Invalid --format: xml/);
  const none = await kpi(tree, '--filter', 'model_name=m9');
  assert.equal(none.code, 1);
  assert.match(none.stderr, /No KPIs found in/);
  const home = await kpi(tree, '--store', '.');
  assert.equal(home.code, 1);
  assert.match(home.stderr, /is not a home/);
});

test('a home keeps payloads, serves the newest, and finds them again in its files', async () => {
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'nightmark.yml'), 'experiments: {}\n');
  const { code, stderr } = await kpi(newTree(), '--store', 'home');
  assert.equal(code, 0, stderr);
  assert.match(stderr, /4 payloads stored in /);
  const first = await metrics(home);
  assert.equal(first.headers['content-type'], 'application/openmetrics-text; version=1.0.0; charset=utf-8');
  assert.match(
    first.body,
    /^tiny_memory_megabytes\{model_name="m2",version="1\.13\.0",virtual_users="128"\} 9000$/m,
  );
  assert.ok(first.body.endsWith('# EOF\n'));
  rmSync(join(home, '.nightmark'), { recursive: true });
  assert.equal((await metrics(home)).body, '# EOF\n');
  const reindexed = await runInProcess(['reindex', home]);
  assert.match(reindexed.stdout, /, 4 payloads\./);
  assert.equal((await metrics(home)).body, first.body);
});

async function metrics(home: string) {
  const index = watchIndex(home);
  const app = createServer(
    { home, isLoopback: true },
    { disk: localDisk, clock: { now: () => 0 }, index, report: console.log },
  );
  try {
    const { body, headers, statusCode } = await app.inject({
      url: '/metrics',
      headers: { host: 'localhost' },
    });
    assert.equal(statusCode, 200);
    return { body, headers };
  } finally {
    await app.close();
    index.close();
  }
}
