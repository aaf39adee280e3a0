import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../stats/random.ts';
import { findSteadyState } from './steady-state.ts';

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

test('a series that never settles keeps its second half, and that is said', () => {
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
