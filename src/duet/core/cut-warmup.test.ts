import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Iterations } from '../../formats/core/iterations.ts';
import { cutWarmup } from './cut-warmup.ts';
import type { DuetIterations } from './duet-iterations.ts';

const side = (first: number, last: number): Iterations => {
  const numbers = Int32Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return { numbers, times: Float64Array.from(numbers, () => 5) };
};
const run = (suite: string, A?: Iterations, B?: Iterations): DuetIterations => ({
  environment: 'here',
  suite,
  benchmark: 'b',
  type: 'duet',
  runid: 0,
  order: 'AB',
  originNs: 0n,
  ...(A && { A }),
  ...(B && { B }),
});
const half = { warmup: 'half', compat: true } as const;
const numbers = (kept: ReturnType<typeof cutWarmup>['A']) => [...(kept?.iterations.numbers ?? [])];
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

test('the half of the original: 0..19 keep 10..19, 1..20 keep 10..20', () => {
  const fromZero = cutWarmup(run('renaissance', side(0, 19), side(0, 19)), half);
  assert.deepEqual(numbers(fromZero.A), range(10, 19));
  assert.equal(fromZero.A?.cut, 10);
  assert.deepEqual(numbers(cutWarmup(run('dacapo', side(1, 20), side(1, 20)), half).B), range(10, 20));
});

test('the largest number over both sides counts: who stopped earlier loses more, even all', () => {
  const { A, B } = cutWarmup(run('scalabench', side(1, 4), side(1, 20)), half);
  assert.deepEqual(numbers(A), []);
  assert.equal(A?.cut, 4);
  assert.deepEqual(numbers(B), range(10, 20));
  assert.deepEqual(numbers(cutWarmup(run('dacapo', undefined, side(0, 9)), half).B), range(5, 9));
});

test('like the original, suites that do not warm up keep all under --compat; asked for without it, all are cut', () => {
  const spec = run('speccpu', side(0, 9), side(0, 9));
  assert.equal(numbers(cutWarmup(spec, half).A).length, 10);
  assert.equal(numbers(cutWarmup(spec, { warmup: 'half', compat: false }).A).length, 5);
});

test('none keeps everything, and numbers out of order are cut by number', () => {
  const mixed = { numbers: Int32Array.of(3, 0, 2, 1), times: Float64Array.of(30, 0, 20, 10) };
  assert.equal(cutWarmup(run('dacapo', mixed), { warmup: 'none', compat: true }).A?.iterations, mixed);
  const { A } = cutWarmup(run('dacapo', mixed), half);
  assert.deepEqual(
    [numbers(A), [...(A?.iterations.times ?? [])]],
    [
      [3, 2],
      [30, 20],
    ],
  );
});

test('steady cuts each side for itself', () => {
  const slowStart = { ...side(1, 40), times: new Float64Array(40).fill(7).fill(9, 0, 5) };
  const { A, B } = cutWarmup(run('any', slowStart, side(1, 40)), { warmup: 'steady', compat: false });
  assert.deepEqual([A?.cut, A?.iterations.numbers[0], B?.cut], [5, 6, 0]);
});
