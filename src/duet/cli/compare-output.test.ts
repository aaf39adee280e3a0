import assert from 'node:assert/strict';
import { test } from 'node:test';
import hyperfine from '../../formats/adapters/hyperfine/hyperfine.ts';
import { opinionOf } from '../../formats/core/format.ts';
import type { Comparison } from '../core/comparison.ts';
import { exportCsv, exportJson, exportMarkdown } from './compare-output.ts';

const comparison: Comparison = {
  mode: 'alternate',
  seed: 5,
  parameters: { n: '2' },
  sides: {
    A: {
      name: 'A',
      command: 'grep "a|b", x',
      times: [0.1, 0.3],
      exitCodes: [0, 0],
      user: 0.01,
      system: 0.02,
    },
    B: { name: 'new', command: 'rg x', times: [0.2, 0.4], exitCodes: [0, 0], user: 0.03, system: 0.04 },
  },
  judgement: {
    verdict: 'slower',
    effect: { ratio: 1.5, low: 1.25, high: 1.75, level: 0.95 },
    p: 0.02,
    minEffect: 0.01,
    runs: 2,
    notes: [],
  },
  state: 'complete',
  planned: 2,
  pairsARun: 1,
  orders: ['AB', 'BA'],
  notes: ['a note'],
};

test('readers of hyperfine read the JSON, and the verdict stands beside', () => {
  const text = exportJson([comparison], { allow: 0.1, orLikely: false });
  assert.equal(opinionOf(hyperfine, text), 'sure');
  const { samples, failed } = hyperfine.read(text, {});
  assert.deepEqual(failed, []);
  assert.deepEqual(
    samples.map(({ benchmark, values, settings }) => [benchmark, values, settings]),
    [
      [['grep "a|b", x'], [0.1, 0.3], { n: '2' }],
      [['new'], [0.2, 0.4], { n: '2' }],
    ],
  );
  const { results, nightmark } = JSON.parse(text);
  assert.deepEqual(Object.keys(results[0]), [
    ...['command', 'mean', 'stddev', 'median', 'user', 'system', 'min', 'max', 'times', 'exit_codes'],
    'parameters',
  ]);
  assert.deepEqual(results[1].parameters, { n: '2' });
  const [ours] = nightmark.comparisons;
  assert.deepEqual(
    [ours.verdict, ours.ratio, ours.interval, ours.regression, ours.seed, ours.orders],
    ['slower', 1.5, { low: 1.25, high: 1.75, level: 0.95 }, true, 5, ['AB', 'BA']],
  );
});

test('the CSV has the columns of hyperfine first, and quotes what must be', () => {
  const [head, a, b, end] = exportCsv([comparison]).split('\n');
  assert.equal(
    head,
    'command,mean,stddev,median,user,system,min,max,parameter_n,side,verdict,ratio,ratio_low,ratio_high,level,pairs,mode',
  );
  assert.match(
    a ?? '',
    /^"grep ""a\|b"", x",0\.2,0\.141\d+,0\.2,0\.01,0\.02,0\.1,0\.3,2,A,slower,1\.5,1\.25,1\.75,0\.95,2,alternate$/,
  );
  assert.match(b ?? '', /^new,0\.3/);
  assert.equal(end, '');
});

test('the Markdown has the table of hyperfine with interval and verdict', () => {
  assert.equal(
    exportMarkdown([comparison]),
    [
      '| Command | Mean [ms] | Min [ms] | Max [ms] | Relative | Interval | Verdict |',
      '|:---|---:|---:|---:|---:|---:|:---|',
      '| `grep "a\\|b", x` | 200.0 ± 141.4 | 100.0 | 300.0 | 1.00 |  |  |',
      '| `new` | 300.0 ± 141.4 | 200.0 | 400.0 | 1.500 | 1.250 to 1.750 (95 %) | slower |',
      '',
    ].join('\n'),
  );
});
