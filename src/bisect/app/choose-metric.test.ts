import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Series, SeriesValue } from '../../formats/core/sample.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { judgedIn, metricChange } from '../core/bisect-metric.ts';
import { chooseMetric, metricValue, type RunResults, resolveMetric } from './choose-metric.ts';

const value = (name: string, number = 1): SeriesValue => ({
  ...{ experiment: 'sort', path: name.split('/'), value: number, unit: 'ms' },
});
const results = (...values: readonly SeriesValue[]): RunResults => ({
  clear: async () => {},
  read: async () => values,
});
const series = (name: string): Series => ({
  ...{ id: 1, experiment: 'sort', path: name.split('/'), unit: 's', better: 'lower' },
});

test('the only value is taken; without one it is the time, and that is reported', async () => {
  const only = await resolveMetric({ type: 'only' }, results(value('cpu/A')));
  assert.deepEqual(only, { metric: { type: 'value', path: ['cpu', 'A'], unit: 'ms', better: 'unknown' } });
  const broken: RunResults = {
    clear: async () => {},
    read: async () => {
      throw new NightmarkError('IMPORT_UNRECOGNIZED', 'stdout.txt: it is empty.');
    },
  };
  const none = await resolveMetric({ type: 'only' }, broken);
  assert.deepEqual([none.metric.type, /it is empty/.test(none.note ?? '')], ['wall', true]);
  await assert.rejects(resolveMetric({ type: 'named', name: 'x' }, broken), /it is empty/);
});

test('what the series knows of unit and direction is kept where results do not say', async () => {
  const wish = { type: 'value', path: ['cpu'], unit: 's', better: 'higher' } as const;
  const { metric } = await resolveMetric(wish, results(value('cpu'), value('other')));
  assert.deepEqual(metric, { ...wish, unit: 'ms' });
});

test('a run without the value, or with one that has no ratio, says which it reports', () => {
  const metric = { type: 'value', path: ['cpu'], unit: '', better: 'lower' } as const;
  assert.equal(metricValue(metric, [value('cpu', 3)]), 3);
  assert.throws(() => metricValue(metric, [value('gpu')]), /reports no cpu, but gpu/);
  for (const wrong of [0, -1, Number.POSITIVE_INFINITY])
    assert.throws(() => metricValue(metric, [value('cpu', wrong)]), /only values above 0/);
});

test('nights decide before anything is built', () => {
  const choose = (names: readonly string[], name?: string) =>
    chooseMetric(
      { experiment: 'sort', ...(name !== undefined && { name }) },
      { series: names.map(series), changes: [] },
    );
  assert.deepEqual(choose([]), { type: 'only' });
  assert.deepEqual(choose([], 'cpu'), { type: 'named', name: 'cpu' });
  assert.equal(choose(['cpu', 'wall'], 'wall').type, 'wall');
  assert.deepEqual(choose(['cpu', 'wall'], 'sort/wall'), choose(['wall']));
  assert.throws(() => choose(['cpu', 'gpu']), /several metrics: cpu, gpu/);
  assert.throws(() => choose(['cpu', 'gpu'], 'cpus'), /no metric "cpus"/);
});

test('a higher rate is better, and slower means worse', () => {
  const rate = { type: 'value', path: ['rate'], unit: 'op/s', better: 'higher' } as const;
  assert.equal(metricChange(rate, 1.1), 'higher, which is better');
  assert.equal(metricChange({ ...rate, better: 'lower' }, 1.1), 'higher, which is worse');
  assert.equal(metricChange({ ...rate, better: 'unknown' }, 0.9), 'lower');
  assert.equal(metricChange({ type: 'wall' }, 0.9), 'faster');
  const judgement = { verdict: 'faster', minEffect: 0.01, runs: 6, notes: [] } as const;
  assert.equal(judgedIn(rate, judgement).verdict, 'slower');
  assert.equal(judgedIn({ type: 'wall' }, judgement).verdict, 'faster');
});
