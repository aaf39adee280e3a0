import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disturbedRanges } from './disturbed-ranges.ts';

const columns = (label: string, values: readonly number[], name = 'cpu.proc-pressure') => ({
  name,
  tags: { experiment: 'sort', label },
  unit: '%',
  times: Float64Array.from(values, (_, place) => 1_000 * place),
  values: Float64Array.from(values),
});

test('waiting tasks make a range; one calm reading does not end it', () => {
  assert.deepEqual(disturbedRanges([columns('cpu-some', [0, 2, 30, 0, 45, 0, 0, 0, 11])]), [
    { from: 1_000, to: 4_000, reason: 'something waited for a CPU, up to 45 % of the time' },
    { from: 7_000, to: 8_000, reason: 'something waited for a CPU, up to 11 % of the time' },
  ]);
});

test('what a machine does anyway disturbs nothing', () => {
  assert.deepEqual(disturbedRanges([columns('user', [99, 99], 'cpu.proc-cpu')]), []);
  assert.deepEqual(disturbedRanges([columns('steal', [0.5, Number.NaN], 'cpu.proc-cpu')]), []);
});
