import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SampleSet } from '../../formats/core/sample.ts';
import { isMatrix, nightOfTest, nightTests } from './night-tests.ts';

const set = (size: number, values: readonly number[], more: Partial<SampleSet> = {}): SampleSet => ({
  ...{ benchmark: ['sort'], metric: 'time', unit: 's', better: 'lower', settings: { size } },
  ...{ values, ...more },
});
const run = {
  id: '20260131-020000-test',
  startedAt: Date.UTC(2026, 0, 31, 2),
  endedAt: Date.UTC(2026, 0, 31, 3),
};

test('every settings of an experiment are one test, with what was measured as its KPIs', () => {
  const memory = { metric: 'memory', unit: 'bytes', better: 'unknown' } as const;
  const tests = nightTests(run, 'sweep', [set(1, [2, 3]), set(1, [7], memory), set(5, [9]), set(9, [])]);
  assert.deepEqual(
    tests.map(({ metadata }) => metadata.settings),
    [1, 5].map((size) => ({ experiment: 'sweep', size, run_id: run.id })),
  );
  assert.deepEqual(tests[0]?.kpis, {
    'sort / time': { value: [2, 3], unit: 's', lower_better: true },
    'sort / memory': { value: 7, unit: 'bytes' },
  });
  assert.equal(tests[0]?.metadata.start, '2026-01-31T02:00:00.000Z');
  assert.equal(nightOfTest(tests[0]?.metadata.test_uuid ?? '', run.id), run.id);
  assert.equal(nightOfTest('00000000-0000', 'r1'), undefined);
});

test('one settings or none are not a matrix, and many values become their median', () => {
  assert.equal(isMatrix([set(1, [1]), set(2, [1])]), true);
  assert.equal(isMatrix([set(1, [1]), set(1, [1], { metric: 'memory' })]), false);
  assert.equal(isMatrix([set(1, [1], { settings: {} }), set(1, [1])]), false);
  const many = Array.from({ length: 101 }, (_, index) => index);
  assert.equal(nightTests(run, 'sweep', [set(1, many)])[0]?.kpis['sort']?.['value'], 50);
});
