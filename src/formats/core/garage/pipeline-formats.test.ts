import assert from 'node:assert/strict';
import { test } from 'node:test';
import { autoName, autoV2Text, readAutoName, readAutoV2 } from './auto-v2.ts';
import { compileProgress, progressV1Text, readProgressV1 } from './progress-v1.ts';
import { readResultsV0, resultsV0Text } from './results-v0.ts';

test('1: results.json is read with blanks behind a path, and written again', () => {
  const graphs = ['a.png', 'b.png  ', 'c.png', 'd.png', 'e.png', 'f.png', 'g.png'];
  const read = readResultsV0(JSON.stringify({ time: 'Fri Feb 1 02:00', branch: 'master', graphs }));
  assert.deepEqual(
    [read.time, read.branch, read.graphs.length, read.graphs[1]],
    ['Fri Feb 1 02:00', 'master', 7, 'b.png'],
  );
  assert.deepEqual(readResultsV0(resultsV0Text(read)), read);
  assert.throws(() => readResultsV0('{"time": ""}'), { code: 'IMPORT_SHAPE' });
});

const script = (algorithm: string, task: string, sides: object) =>
  JSON.stringify({ [algorithm]: { [task]: { seed: 7, trail_1: sides, trail_2: sides } } });

test('2: returns are a column of pandas or a list, and the seed is that of the last trial', () => {
  const sides = {
    garage: { time_steps: [10, 20], return: { 0: 1.5, 1: 2.5 } },
    baselines: { time_steps: [10], return: [3] },
    benchmark: { time_steps: [10], average_return: [4] },
    broken: { time_steps: [10, 20], return: [1] },
  };
  const { curves, failed } = readProgressV1(script('PPO', 'Hopper-v2', sides));
  assert.deepEqual(
    curves.map(({ trial, side, returns, seed }) => [trial, side, returns, seed]),
    [
      ['trail_1', 'garage', [1.5, 2.5], undefined],
      ['trail_1', 'baselines', [3], undefined],
      ['trail_1', 'benchmark', [4], undefined],
      ['trail_2', 'garage', [1.5, 2.5], 7],
      ['trail_2', 'baselines', [3], 7],
      ['trail_2', 'benchmark', [4], 7],
    ],
  );
  assert.equal(failed.length, 2);
});

test('3: files are compiled with tasks in the order of their first sight, and nothing without a task', () => {
  const curve = { garage: { time_steps: [1], return: { 0: 1 } } };
  const one = script('PPO', 'Walker2d-v2', curve);
  const two = JSON.stringify({
    ...JSON.parse(script('DDPG', 'Hopper-v2', curve)),
    note: 'text',
    TRPO: { time_start: 'now' },
  });
  const three = script('PPO', 'Hopper-v2', curve);
  const at = Date.UTC(2026, 0, 31, 2);
  const compiled = JSON.parse(
    compileProgress([one, two, three], { commit: 'abc-dirty', at }) ?? '',
  ) as Record<string, object>;
  assert.deepEqual(compiled['tasks'], ['Walker2d-v2', 'Hopper-v2']);
  assert.deepEqual([compiled['timestamp'], compiled['githash']], ['2026-01-31T02:00:00.000Z', 'abc-dirty']);
  assert.deepEqual(Object.keys(compiled['algos'] ?? {}), ['PPO', 'DDPG', 'TRPO']);
  assert.equal(compileProgress(['{"PPO": {"time_start": "x"}, "a": "b"}'], { commit: '', at }), undefined);
  assert.equal(compileProgress([], { commit: '', at }), undefined);
});

test('curves that are written as progress.json are read as they were', () => {
  const curve = { trial: 'trail_1', side: 'garage', steps: [1, 2], returns: [-5.3, null], seed: 3 };
  const curves = [
    { ...curve, algorithm: 'TD3', task: 'Reacher-v2' },
    { ...curve, algorithm: '__proto__', task: 'constructor' },
  ];
  const text = progressV1Text(curves, { commit: 'abc', at: 0 }) ?? '';
  assert.deepEqual(readProgressV1(text).curves, curves);
  assert.equal(progressV1Text([], { commit: 'abc', at: 0 }), undefined);
});

test('4: auto JSON holds its curve, and its name the task and the algorithm', () => {
  const auto = {
    x: [1, 2],
    y: [-5.31, null],
    yMin: [-6, null],
    yMax: [-5, null],
    xLabel: 'Steps',
    yLabel: 'Return',
    commit: 'abc',
  };
  assert.deepEqual(readAutoV2(autoV2Text(auto)), auto);
  const named = { task: 'HalfCheetah-v2', algorithm: 'ppo-garage-pytorch' };
  assert.deepEqual(readAutoName('HalfCheetah-v2_ppo-garage-pytorch.json'), named);
  assert.deepEqual(readAutoName('auto_bench_1/auto/HalfCheetah-v2_ppo-garage-pytorch.json'), named);
  assert.equal(readAutoName('plot.png'), undefined);
  assert.equal(autoName('my_env v2', 'ppo_garage/tf'), 'my-env-v2_ppo-garage-tf.json');
});
