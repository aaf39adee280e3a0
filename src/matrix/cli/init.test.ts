import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { folderFiles, goldenTests } from '../../../test/support/folder-files.ts';
import { runInProcess } from '../../../test/support/in-process.ts';
import { parseWorkloadFile } from '../config/workload/workload-file.ts';
import { toWorkload } from '../core/workload/to-workload.ts';

const work = mkdtempSync(join(tmpdir(), 'init-'));
after(() => rmSync(work, { recursive: true }));
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(work, name)), { recursive: true });
  writeFileSync(join(work, name), text);
};

test('the draft of the golden tree reads every test of it', async () => {
  const { code, stdout, stderr } = await runInProcess([
    'matrix',
    'init',
    'test/golden/matrix/results',
    '--name',
    'tiny',
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /000__m1_4: 6 fields, 3 labels, 3 KPIs\. Units and directions are guesses\./);
  const { workload: definition, problems } = parseWorkloadFile('draft.yml', stdout);
  assert.deepEqual(problems, []);
  const workload = toWorkload(definition);
  assert.deepEqual(workload.importantFiles, ['.uuid', '*__run/result.json']);
  assert.deepEqual(workload.comparison.comparisonKeys, ['version']);
  const facts = workload.kpis.map(({ definition: { name, unit, better } }) => [name, unit, better]);
  assert.deepEqual(facts, [
    ['tiny_throughput', '1', 'higher'],
    ['tiny_memory_mb', 'MB', 'lower'],
    ['tiny_samples', '1', 'unknown'],
  ]);
  const values: unknown[] = [];
  for (const { dir, settings } of goldenTests()) {
    const { fields, problems: lost } = await workload.parseOnce(folderFiles(dir, { settings }));
    assert.deepEqual(lost, []);
    const entry = {
      location: dir,
      settings,
      importSettings: settings,
      exitCode: 0,
      results: fields,
      problems: [],
    };
    assert.equal(workload.payload?.labels(entry)['version'], '1.13.0');
    assert.equal(workload.payload?.metadata(entry)['start'], '2024-09-02T10:00:00');
    values.push(workload.kpis.map(({ value }) => value({}, entry)));
  }
  assert.equal(values.length, 4);
  assert.deepEqual(values[0], [100, 2048, 6.5 / 3]);
});

test('a test directory alone takes the settings of the folders above it', async () => {
  const { stdout } = await runInProcess([
    'matrix',
    'init',
    'test/golden/matrix/results/expe/001__m1_16',
    '--json',
  ]);
  const { labels, kpis } = JSON.parse(stdout);
  assert.deepEqual(labels, ['version', 'model_name', 'virtual_users']);
  assert.equal(kpis[0], '_001__m1_16_throughput');
});

test('learning curves, tables, lists of runs and odd names become fields of a draft that parses', async () => {
  put('odd/t/settings', 'algo=ppo\nseed=1\n');
  put('odd/t/progress.csv', 'Evaluation/AverageReturn,TotalEnvSteps,Note\r\n1.5,1000,x\r\n');
  put('odd/t/times.csv', 'p99_ms\n3\n');
  put(
    'odd/t/odd.json',
    JSON.stringify({ 'a "b" c': 1, "it's": 2, 'x: y #': 3, runs: [{ ms: 4 }], '': 5, 'n\nl': 6, '99': 7 }),
  );
  put('odd/t/broken.json', '{');
  put('odd/t/empty.yaml', '');
  const file = join(work, 'odd.workload.yml');
  const { code, stderr } = await runInProcess(['matrix', 'init', join(work, 'odd'), '-o', file]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /Next: nightmark matrix parse/);
  const { workload } = parseWorkloadFile(file, readFileSync(file, 'utf8'));
  assert.equal(workload.name, 'odd');
  assert.deepEqual(workload.settings.gather, ['seed']);
  const { fields } = await toWorkload(workload).parseOnce(folderFiles(join(work, 'odd/t')));
  assert.deepEqual(fields['evaluation_averagereturn'], [{ x: [1000], y: [1.5] }]);
  assert.deepEqual(fields['p99_ms'], [3]);
  assert.deepEqual(fields['runs_ms'], [4]);
  assert.equal(fields['x_y'], 3);
  assert.equal(fields['a_b_c'], 1);
  assert.equal(fields['it_s'], 2);
});

test('a ratio has no unit, and what numbers repetitions is no label', async () => {
  put('ratio/t/settings.yaml', 'level: 3\n"@seed": 2\n');
  put('ratio/t/result.json', JSON.stringify({ compression_ratio: 2.1, cpu_percent: 40 }));
  const { stdout } = await runInProcess(['matrix', 'init', join(work, 'ratio'), '--json']);
  const { labels, text } = JSON.parse(stdout) as { labels: string[]; text: string };
  assert.deepEqual(labels, ['level']);
  const { workload } = parseWorkloadFile('draft.yml', text);
  const units = toWorkload(workload).kpis.map(({ definition: { name, unit } }) => [name, unit]);
  assert.deepEqual(units, [
    ['ratio_compression_ratio', '1'],
    ['ratio_cpu_percent', '%'],
  ]);
});

test('an existing file is kept unless told otherwise, and a folder without tests is refused', async () => {
  put('there.yml', 'mine');
  const tree = 'test/golden/matrix/results';
  const refused = await runInProcess(['matrix', 'init', tree, '-o', join(work, 'there.yml')]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /MATRIX_FILE_EXISTS|there already/);
  assert.equal(readFileSync(join(work, 'there.yml'), 'utf8'), 'mine');
  const forced = await runInProcess(['matrix', 'init', tree, '-o', join(work, 'there.yml'), '--force']);
  assert.equal(forced.code, 0);
  assert.match(readFileSync(join(work, 'there.yml'), 'utf8'), /^name: there$/m);
  mkdirSync(join(work, 'empty'));
  const empty = await runInProcess(['matrix', 'init', join(work, 'empty')]);
  assert.equal(empty.code, 1);
  assert.match(empty.stderr, /There is no test directory in/);
});
