import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Iterations } from '../../../formats/core/format.ts';
import { seededRandom } from '../../../stats/random.ts';
import type { DuetIterations } from '../duet-iterations.ts';
import { cutWarmup, findSteadyState } from './cut-warmup.ts';

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

test('like the original, suites that do not warm up keep all under --compat; without it, all are cut', () => {
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

const REPETITIONS = 1000;

/** Simulates series of log times and says how they were cut. */
function simulate(length: number, level: (position: number, normal: () => number) => number) {
  const random = seededRandom(20_261);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let cut = 0;
  let anyCut = 0;
  let unsteady = 0;
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const times = Float64Array.from({ length }, (_, i) => 1e9 * Math.exp(level(i, normal)));
    const { from, isSteady } = findSteadyState(times);
    cut += from / length / REPETITIONS;
    anyCut += from > 0 ? 1 / REPETITIONS : 0;
    unsteady += isSteady ? 0 : 1 / REPETITIONS;
  }
  return { cut, anyCut, unsteady };
}

test('flat noise loses next to nothing', () => {
  for (const length of [20, 50, 200]) {
    const { cut, unsteady } = simulate(length, (_, normal) => 0.02 * normal());
    assert.ok(cut < 0.02, `${length}: ${cut}`);
    assert.ok(unsteady < 0.02, `${length}: ${unsteady}`);
  }
});

test('bursts of a shared machine are not taken for warming up', () => {
  const { cut } = simulate(
    50,
    (_, normal) => 0.02 * normal() + (normal() > 1.5 ? 0.3 * Math.abs(normal()) : 0),
  );
  assert.ok(cut < 0.05, String(cut));
});

test('a JIT compiler that needs an eighth of the run is cut off', () => {
  for (const length of [50, 200]) {
    const rest = (position: number) => 1.5 * Math.exp(-position / (length * 0.04));
    const { cut, anyCut, unsteady } = simulate(length, (i, normal) => 0.02 * normal() + rest(i));
    assert.ok(anyCut > 0.99, String(anyCut));
    assert.ok(rest(cut * length) < 0.03, `${length}: after ${cut} still ${rest(cut * length)}`);
    assert.ok(cut < 0.3, String(cut));
    assert.ok(unsteady < 0.05, String(unsteady));
  }
});

test('a slow beginning is cut off where it ends', () => {
  const { cut, anyCut } = simulate(100, (i, normal) => 0.02 * normal() + (i < 30 ? 0.1 : 0));
  assert.ok(anyCut > 0.99 && cut > 0.29 && cut < 0.35, `${anyCut} ${cut}`);
  const first = simulate(100, (i, normal) => 0.02 * normal() + (i === 0 ? 2 : 0));
  assert.ok(first.anyCut > 0.95 && first.cut < 0.04, `${first.anyCut} ${first.cut}`);
});

test('a series that never becomes steady keeps its second half, and says so', () => {
  const { cut, unsteady } = simulate(200, (i, normal) => 0.02 * normal() - 0.002 * i);
  assert.ok(unsteady > 0.8, String(unsteady));
  assert.ok(cut > 0.4 && cut <= 0.5, String(cut));
});

test('too few iterations and equal times are left alone; an exact beginning is found', () => {
  assert.deepEqual(findSteadyState(Float64Array.of(9, 5, 1, 1, 1, 1)), { from: 0, isSteady: true });
  assert.deepEqual(findSteadyState(new Float64Array(0)), { from: 0, isSteady: true });
  assert.deepEqual(findSteadyState(new Float64Array(20).fill(7)), { from: 0, isSteady: true });
  const exact = new Float64Array(20).fill(7).fill(9, 0, 3);
  assert.deepEqual(findSteadyState(exact), { from: 3, isSteady: true });
});
