import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  analyzeTrials,
  checkPrerequisites,
  dashboardInfo,
  readConfig,
  runTrials,
  sortData,
  writeChart,
  writeStatus,
  writeSummary,
} from './experiment.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-kit-'));
after(() => rmSync(folder, { recursive: true }));
const table = { dir: join(folder, 'raw'), method: 'node', task: 'sort' };

test('trials are counted from the dry ones on, for each combination and repetition', async () => {
  const calls: unknown[] = [];
  const done = await runTrials<string>({
    ...table,
    dryRuns: 1,
    runs: 2,
    reps: 2,
    restMs: 1,
    parameters: { kind: ['a', 'b,c'], n: [1] },
    setup: (kind, n) => `${kind}${n}`,
    trial: (input, kind) => calls.push([input, kind]),
    teardown: (input) => void calls.push(`end ${input}`),
    secondsOf: () => 0.25,
    onCombination: (values, means) => calls.push([values, means]),
  });
  assert.deepEqual(done, { success: true, message: 'success' });
  const rows = ['a,1,0,1,0.25', 'a,1,0,2,0.25', 'a,1,1,1,0.25', 'a,1,1,2,0.25'];
  const text = readFileSync(join(folder, 'raw/node-sort.csv'), 'utf8');
  assert.equal(
    text,
    ['kind,n,rep,run,time', ...rows, ...rows.map((row) => row.replace('a', '"b,c"')), ''].join('\r\n'),
  );
  assert.deepEqual(calls.slice(0, 4), [['a1', 'a'], ['a1', 'a'], ['a1', 'a'], 'end a1']);
  assert.deepEqual(calls[8], [
    ['a', 1],
    [0.25, 0.25],
  ]);
  assert.deepEqual(analyzeTrials({ ...table, reps: 2, match: { kind: 'b,c', n: 1 } }), {
    mean: 0.25,
    median: 0.25,
    std: 0,
  });
});

test('what a trial throws ends it; the rows so far stay', async () => {
  let count = 0;
  const trial = () => {
    if (++count === 3) throw new Error('no more');
  };
  const plan = { ...table, task: 'bad', dryRuns: 0, runs: 5, reps: 1, parameters: { n: [7] }, trial };
  const { success, message } = await runTrials(plan);
  assert.equal(success, false);
  assert.match(message, /^Encountered exception in trial on inputs \(7\):\nError: no more\n/);
  assert.equal(readFileSync(join(folder, 'raw/node-bad.csv'), 'utf8').split('\r\n').length, 4);
  assert.throws(() => analyzeTrials({ ...table, task: 'none', reps: 1 }), { code: 'KIT_NO_TABLE' });
});

test('files are valid JSON as Python writes it', () => {
  writeStatus(join(folder, 'new/out'), false, 'é "q"\n\u0001');
  assert.equal(
    readFileSync(join(folder, 'new/out/status.json'), 'utf8'),
    '{"success": false, "message": "\\u00e9 \\"q\\"\\n\\u0001"}',
  );
  writeSummary(folder, 'T', 'v');
  assert.equal(readFileSync(join(folder, 'summary.json'), 'utf8'), '{"title": "T", "value": "v"}');
  assert.throws(() => readConfig(folder), { code: 'KIT_UNREADABLE' });
});

test('data comes oldest first; what is no data of a night is left out', () => {
  const dir = join(folder, 'data');
  mkdirSync(join(dir, 'sub'), { recursive: true });
  for (const [name, text] of [
    ['a.json', '{"timestamp": "01-02-2026-0000", "x": 2}'],
    ['b.json', '{"timestamp": "12-31-2025-0000", "x": 1}'],
    ['c.json', '{"x": 3}'],
    ['d.txt', 'no'],
  ] as const) {
    writeFileSync(join(dir, name), text);
  }
  assert.deepEqual(
    sortData(dir).map((entry) => entry['x']),
    [1, 2],
  );
  assert.deepEqual(sortData(join(folder, 'gone')), []);
});

test('a home is read as the dashboard lays it out', async () => {
  const home = join(folder, 'home');
  const info = dashboardInfo(home);
  const write = (path: string, value: object) => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(value));
  };
  write('config/experiments/cnn/config.json', { active: true, devices: ['cpu', 'gpu'] });
  write('config/experiments/b/config.json', {});
  assert.deepEqual(info.experiments(), ['b', 'cnn']);
  assert.deepEqual(info.subsystems(), []);
  assert.equal(info.stageStatus('cnn', 'run').message, 'run stage status missing');
  const needed = { cnn: { devices: ['gpu'] } };
  assert.equal((await checkPrerequisites(info, needed)).message, 'Config invalid for cnn');
  write('results/experiments/status/cnn/precheck.json', { success: true, message: '' });
  assert.equal((await checkPrerequisites(info, needed)).message, 'cnn failed to produce analyzed data');
  write('results/experiments/status/cnn/analysis.json', { success: true, message: '' });
  assert.deepEqual(await checkPrerequisites(info, needed), { success: true, message: 'success' });
  assert.ok(info.isActive('cnn') && !info.isActive('b'));
});

test('charts are drawn by the ending of their name', async () => {
  const chart = { chart: 'bar', bars: [{ label: 'a', value: 1 }] } as const;
  await writeChart(join(folder, 'graph/a.png'), chart);
  await writeChart(join(folder, 'graph/a.svg'), chart);
  assert.equal(readFileSync(join(folder, 'graph/a.png'))[1], 0x50);
  assert.match(readFileSync(join(folder, 'graph/a.svg'), 'utf8'), /^<svg /);
  assert.ok(existsSync(join(folder, 'graph')));
});
