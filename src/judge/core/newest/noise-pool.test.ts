import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { compareNewest, prepareNewest } from './judge-newest.ts';
import { poolNoise } from './noise-pool.ts';
import { NOISE_PRIOR } from './value-noise.ts';

const random = seededRandom(3);
const normal = () => normalQuantile(Math.max(1e-9, random()));
const drawn = (count: number, next: () => number) => Float64Array.from({ length: count }, next);

/** Series of few values, half of them with noise of 0.5 %, half with 1 %. */
const quiet = Array.from({ length: 200 }, (_, id) =>
  drawn(3, () => 100 * (1 + (id % 2 === 0 ? 0.005 : 0.01) * normal())),
);
const likelihoods = (histories: readonly Float64Array[]) =>
  histories.map((history) => {
    const { placed } = prepareNewest({ history, newest: Float64Array.of(100), better: 'lower' });
    return placed?.likelihood ?? assert.fail('three values are enough');
  });
/** p of a value for the first of the histories, by itself and with what the others say. */
function chances(histories: readonly Float64Array[], value: number) {
  const [first = new Float64Array()] = histories;
  const [prior] = poolNoise(likelihoods(histories));
  const newest = Float64Array.of(value);
  return { alone: compareNewest(first, newest).p, pooled: compareNewest(first, newest, prior).p };
}

test('one series alone has the built-in prior', () => {
  const [prior] = poolNoise(likelihoods(quiet.slice(0, 1)));
  prior?.tailWeights.forEach((weight, place) => {
    assert.ok(Math.abs(weight - (NOISE_PRIOR.tailWeights[place] ?? 0)) < 1e-12);
  });
  const { alone, pooled } = chances(quiet.slice(0, 1), 110);
  assert.ok(Math.abs(pooled - alone) < 1e-9);
  assert.deepEqual(poolNoise([]), []);
});

test('three values show a shift when hundreds of series like them are quiet', () => {
  const { alone, pooled } = chances(quiet, 110);
  assert.ok(alone > 0.005, `${alone}`);
  assert.ok(pooled < 0.001, `${pooled}`);
});

test('with a long history of its own a series hardly feels the others', () => {
  const long = drawn(80, () => 100 * (1 + 0.03 * normal()));
  const { alone, pooled } = chances([long, ...quiet], 108);
  assert.ok(alone > 0.005 && pooled > alone / 2 && pooled < 2 * alone, `${alone} ${pooled}`);
});

test('where other series have two speeds, the first value at another one is no surprise', () => {
  const modes = Array.from({ length: 100 }, () =>
    drawn(10, () => (random() < 0.25 ? 110 : 100) * (1 + 0.003 * normal())),
  );
  const slowNever = drawn(10, () => 100 * (1 + 0.003 * normal()));
  const { alone, pooled } = chances([slowNever, ...modes], 110);
  assert.ok(alone < 0.01, `${alone}`);
  assert.ok(pooled > 0.01, `${pooled}`);
});

test('a few series that are unlike the others move little', () => {
  const wild = Array.from({ length: 20 }, () => drawn(3, () => 100 * Math.exp(0.3 * normal())));
  const [without, among] = [chances(quiet, 120), chances([...quiet, ...wild], 120)];
  assert.ok(among.pooled < 0.003 && among.pooled < 10 * without.pooled, `${without.pooled} ${among.pooled}`);
});
