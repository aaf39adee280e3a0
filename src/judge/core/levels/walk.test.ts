import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { findChanges } from './find-changes.ts';
import { isJump, isWalk } from './walk.ts';

function noise(length: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length }, () => normalQuantile(random() * 0.9999 + 0.00005));
}

function walk(length: number, seed: number): Float64Array {
  let last = 0;
  return noise(length, seed).map((step) => {
    last += step;
    return last;
  });
}

test('tells a walk from noise around levels, however large the steps between these are', () => {
  let walks = 0;
  for (let seed = 1; seed <= 50; seed++) {
    if (isWalk(walk(300, seed))) walks++;
    assert.ok(!isWalk(noise(300, seed)), `${seed}`);
    assert.ok(!isWalk(noise(300, seed).map((value, i) => value + (i >= 100 ? 1000 : 0))), `${seed}`);
  }
  assert.ok(walks >= 45, `${walks} of 50`);
  assert.ok(!isWalk(new Float64Array(100).fill(7).fill(8, 50)));
});

test('a walk has few changes, but a jump is one', () => {
  let found = 0;
  for (let seed = 1; seed <= 100; seed++) found += findChanges({ values: walk(300, seed) }).changes.length;
  assert.ok(found <= 10, `${found} in 100 walks`);
  const jumping = walk(300, 4).map((value, i) => value + (i >= 180 ? 30 : 0));
  assert.ok(isJump(jumping, 180, 3));
  assert.ok(!isJump(jumping, 100, 3));
  assert.deepEqual(
    findChanges({ values: jumping }).changes.map(({ index }) => index),
    [180],
  );
});
