import assert from 'node:assert/strict';
import { test } from 'node:test';
import hyperfine from '../../formats/adapters/hyperfine/hyperfine.ts';
import { opinionOf } from '../../formats/core/format.ts';
import type { Output } from '../../platform/cli/command.ts';
import type { Comparison } from '../core/comparison.ts';
import { comparisonText, exportCsv, exportJson, exportMarkdown } from './compare-output.ts';

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
  decidedBy: 'wall',
  deciders: ['wall', 'cpu'],
  measures: [
    {
      measure: 'wall',
      judgement: {
        verdict: 'slower',
        effect: { ratio: 1.5, low: 1.25, high: 1.75, level: 0.95 },
        minEffect: 0.01,
        runs: 2,
        notes: [],
      },
    },
    {
      measure: 'cpu',
      judgement: {
        verdict: 'undecided',
        effect: { ratio: 1.02, low: 0.99, high: 1.05, level: 0.99 },
        minEffect: 0.01,
        runs: 2,
        notes: [],
      },
    },
  ],
  absent: [{ measure: 'instructions', reason: 'perf is not installed' }],
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
  assert.equal(ours.decidedBy, 'wall');
  assert.deepEqual(ours.measures.cpu, {
    verdict: 'undecided',
    ratio: 1.02,
    interval: { low: 0.99, high: 1.05, level: 0.99 },
    runs: 2,
  });
  assert.deepEqual(ours.absent, { instructions: 'perf is not installed' });
});

test('the CSV has the columns of hyperfine first, and quotes what must be', () => {
  const [head, a, b, end] = exportCsv([comparison]).split('\n');
  assert.equal(
    head,
    'command,mean,stddev,median,user,system,min,max,parameter_n,side,verdict,ratio,ratio_low,ratio_high,level,pairs,mode,decided_by,wall_verdict,wall_ratio,wall_ratio_low,wall_ratio_high,wall_level,cpu_verdict,cpu_ratio,cpu_ratio_low,cpu_ratio_high,cpu_level',
  );
  assert.match(
    a ?? '',
    /^"grep ""a\|b"", x",0\.2,0\.141\d+,0\.2,0\.01,0\.02,0\.1,0\.3,2,A,slower,1\.5,1\.25,1\.75,0\.95,2,alternate,wall,slower,1\.5,1\.25,1\.75,0\.95,undecided,1\.02,0\.99,1\.05,0\.99$/,
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
      '| Command | Measure | Relative | Interval | Verdict |',
      '|:---|:---|---:|---:|:---|',
      '| `new` | wall time | 1.500 | 1.250 to 1.750 (95 %) | slower, decides |',
      '| `new` | CPU time | 1.020 | 0.990 to 1.050 (99 %) | undecided |',
      '',
    ].join('\n'),
  );
});

test('the text shows every measure, and which of them decides', () => {
  const text = comparisonText(comparison, { hasColor: false } as Output);
  assert.match(text, /\n {2}wall time {3}ratio 1\.500, 95 % interval 1\.250 to 1\.750 {3}slower, decides\n/);
  assert.match(text, /\n {2}CPU time {4}ratio 1\.020, 99 % interval 0\.990 to 1\.050 {3}undecided\n/);
});
