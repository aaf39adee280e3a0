import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runInProcess } from '../support/in-process.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-process-'));
after(() => rmSync(root, { recursive: true }));

let places = 0;
/** A folder with results, workload, plots and a configuration whose block goes on as given. */
function newPlace(block = ''): string {
  const place = join(root, String(places++));
  cpSync('test/golden/matrix/results', join(place, 'tree'), { recursive: true });
  cpSync('examples/matrix-tiny/tiny.workload.yml', join(place, 'tiny.yml'));
  writeFileSync(join(place, 'plots.yaml'), 'visualize:\n- generate: [KPI Plot]\n');
  writeFileSync(
    join(place, 'config.yaml'),
    `matbench:\n  workload: tiny.yml\n  test_directory: tree\n${block}`,
  );
  return place;
}

function run(cwd: string, ...options: string[]) {
  return runInProcess(['matrix', 'process', '-c', 'config.yaml', ...options], { cwd });
}

interface Summary {
  readonly exitCode: number;
  readonly steps: readonly { readonly name: string; readonly state: string; readonly log?: string }[];
}

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const states = (place: string) => {
  const { steps } = JSON.parse(read(place, 'artifacts/summary.json')) as Summary;
  return Object.fromEntries(steps.map(({ name, state }) => [name, state]));
};

test('a small block reads, keeps payloads and their schema, and draws; each step has its log', async () => {
  const place = newPlace();
  const { code, stdout } = await run(place);
  assert.equal(code, 0, stdout);
  assert.deepEqual(readdirSync(join(place, 'artifacts')).sort(), [
    ...[
      '0_parse.log',
      '1_payloads.log',
      '2_visualize.log',
      'kpis.txt',
      'opensearch_mapping.json',
      'payload.schema.json',
    ],
    ...['payloads', 'reports', 'summary.json'],
  ]);
  assert.equal(readdirSync(join(place, 'artifacts/payloads')).length, 5);
  assert.ok(existsSync(join(place, 'artifacts/reports/fig_00_kpi_plot.png')));
  assert.match(stdout, /^done {5}parse {6}4 entries of 7 test directories: .* \[0_parse\.log\]$/m);
  assert.match(read(place, 'artifacts/0_parse.log'), /^\$ nightmark matrix parse -w .*tiny\.yml -- .*tree\n/);
});

test('an incomplete test fails the payloads, and is drawn all the same', async () => {
  const place = newPlace();
  rmSync(join(place, 'tree/expe/000__m1_4'), { recursive: true });
  mkdirSync(join(place, 'tree/expe/000__m1_4'));
  writeFileSync(join(place, 'tree/expe/000__m1_4/settings.yaml'), 'model_name: m1\nvirtual_users: 4\n');
  writeFileSync(join(place, 'tree/expe/000__m1_4/exit_code'), '1\n');
  const { code, stdout } = await run(place, '--json');
  assert.equal(code, 1);
  const { exitCode } = JSON.parse(stdout) as Summary;
  assert.equal(exitCode, 1);
  const { parse, payloads, visualize } = states(place);
  assert.deepEqual({ parse, payloads, visualize }, { parse: 'done', payloads: 'failed', visualize: 'done' });
  assert.match(read(place, 'artifacts/FAILURE'), /^payloads:\n/);
});

test('a failed export fails the test unless the block says otherwise', async () => {
  const block = (fails: boolean) =>
    `  lts: {opensearch: {index: i, instance: nowhere, export: {enabled: true, fail_test_on_fail: ${fails}}}}\n`;
  const strict = newPlace(block(true));
  assert.equal((await run(strict)).code, 1);
  assert.equal(states(strict)['export'], 'failed');
  const lax = newPlace(block(false));
  const { code, stdout } = await run(lax);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^failed .*NIGHTMARK_OPENSEARCH_NOWHERE_URL .*\(does not fail the test\) \[2_export\.log\]$/m,
  );
  assert.match(read(lax, 'artifacts/FAILURE'), /^export:\nERROR \| NIGHTMARK_OPENSEARCH_NOWHERE_URL/);
});

test('one bad plot fails the step by name, and a second run clears what the first left', async () => {
  const place = newPlace();
  writeFileSync(join(place, 'plots.yaml'), 'visualize:\n- generate: [nope, KPI Plot]\n');
  assert.equal((await run(place)).code, 1);
  assert.match(read(place, 'artifacts/FAILURE'), /^visualize:\nERROR \| nope: There is no plot "nope"/);
  assert.ok(existsSync(join(place, 'artifacts/reports/fig_01_kpi_plot.svg')));
  writeFileSync(join(place, 'plots.yaml'), 'visualize:\n- generate: [KPI Plot]\n');
  writeFileSync(join(place, 'artifacts/payloads/tiny_old.json'), '{}');
  assert.equal((await run(place)).code, 0);
  assert.equal(existsSync(join(place, 'artifacts/FAILURE')), false);
  assert.equal(existsSync(join(place, 'artifacts/payloads/tiny_old.json')), false);
});

test('no results leave a marker, and what needs them is skipped', async () => {
  const place = newPlace();
  mkdirSync(join(place, 'empty'));
  const { code } = await run(place, '--test-directory', 'empty');
  assert.equal(code, 1);
  assert.ok(existsSync(join(place, 'artifacts/NO_RESULTS_FOUND')));
  const { parse, payloads, visualize } = states(place);
  assert.deepEqual(
    { parse, payloads, visualize },
    { parse: 'failed', payloads: 'skipped', visualize: 'skipped' },
  );
});

test('an analysis without a history fails by name', async () => {
  const place = newPlace('  lts: {regression_analyses: {enabled: true}, opensearch: {index: i}}\n');
  const { code, stdout } = await run(place);
  assert.equal(code, 1);
  assert.match(stdout, /^failed +history .*NIGHTMARK_OPENSEARCH_URL/m);
  assert.match(stdout, /^skipped +analysis +a step that it depends on is missing: history failed/m);
  assert.equal(states(place)['visualize'], 'done');
});

test('a regression is reported, and fails the test where the block says so', async () => {
  const block = (fails: boolean) =>
    `  lts: {regression_analyses: {enabled: true, fail_test_on_regression: ${fails}, history: old}}\n`;
  for (const fails of [false, true]) {
    const place = newPlace(block(fails));
    cpSync('test/golden/matrix/lts', join(place, 'old'), { recursive: true });
    const { code, stdout } = await run(place);
    assert.equal(code, fails ? 3 : 0, stdout);
    assert.match(stdout, /^failed +analysis +6 KPI values of 3 entries by nightmark: 1 worse, 1 better/m);
    assert.equal(/\(does not fail the test\)/.test(stdout), !fails);
    assert.match(read(place, 'artifacts/FAILURE'), /^analysis:\n6 KPI values/);
    assert.match(read(place, 'artifacts/regression_summary.yaml'), /^failures: 1$/m);
    assert.ok(existsSync(join(place, 'artifacts/regression_report.html')));
  }
});
