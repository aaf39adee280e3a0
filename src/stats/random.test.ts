import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, shuffle } from './random.ts';

const take = (seed: number, count: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random());
};

test('the same seed gives the same numbers, another one others', () => {
  assert.deepEqual(take(42, 5), take(42, 5));
  assert.notDeepEqual(take(42, 5), take(43, 5));
});

test('the numbers never change: recorded orders must stay reproducible', () => {
  assert.deepEqual(
    take(1, 3).map((value) => value * 2 ** 32),
    [1_580_013_426, 350_525_680, 3_524_174_333],
  );
});

test('numbers lie in [0, 1) and are spread evenly', () => {
  const bins = new Array<number>(10).fill(0);
  for (const value of take(7, 100_000)) {
    assert.ok(value >= 0 && value < 1);
    const bin = Math.floor(value * 10);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  // 10,000 expected in each, standard deviation 95: five of them.
  for (const count of bins) assert.ok(Math.abs(count - 10_000) < 475, String(bins));
});

test('shuffling keeps the items, leaves its input alone and is fair', () => {
  const items = ['a', 'b', 'c'];
  const random = seededRandom(3);
  const seen = new Map<string, number>();
  for (let round = 0; round < 6000; round++) {
    const order = shuffle(items, random).join('');
    seen.set(order, (seen.get(order) ?? 0) + 1);
  }
  assert.deepEqual(items, ['a', 'b', 'c']);
  assert.deepEqual([...seen.keys()].sort(), ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  // 1,000 expected of each, standard deviation 29: five of them.
  for (const count of seen.values()) assert.ok(Math.abs(count - 1000) < 145, String([...seen]));
  assert.deepEqual(shuffle([], random), []);
});
