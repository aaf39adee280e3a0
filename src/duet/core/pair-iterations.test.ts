import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Iterations } from '../../formats/core/iterations.ts';
import { pairIterations } from './pair-iterations.ts';
import type { Pairs } from './pairs.ts';

const options = { pairing: 'exact', minOverlap: 0.4 } as const;

function side(numbers: readonly number[], starts?: readonly number[]): Iterations {
  const times = Float64Array.from(numbers, () => 10);
  if (!starts) return { numbers: Int32Array.from(numbers), times };
  return {
    numbers: Int32Array.from(numbers),
    starts: Float64Array.from(starts),
    ends: Float64Array.from(starts, (start) => start + 10),
    times,
  };
}

const positions = ({ a, b }: Pairs) => Array.from(a, (i, k) => [i, b[k]]);

test('sides that ran freely are paired by overlap, whatever their numbers', () => {
  const pairs = pairIterations({ type: 'duet', A: side([0, 1], [0, 10]), B: side([7, 8], [1, 11]) }, options);
  assert.deepEqual(positions(pairs), [
    [0, 0],
    [1, 1],
  ]);
  assert.deepEqual([...pairs.weights], [9, 9]);
  assert.equal(pairs.weak, 1);
});

test('synchronised and sequential runs are paired by number, and who has no partner is left', () => {
  for (const type of ['syncduet', 'seqn'] as const) {
    const pairs = pairIterations(
      { type, A: side([1, 2, 4], [0, 10, 20]), B: side([2, 3, 4], [0, 10, 20]) },
      options,
    );
    assert.deepEqual(positions(pairs), [
      [1, 0],
      [2, 2],
    ]);
    assert.deepEqual([...pairs.weights], [1, 1]);
  }
});

test('without moments duets are paired by number too, also when numbers come unsorted or twice', () => {
  const pairs = pairIterations({ type: 'duet', A: side([3, 1, 1]), B: side([1, 3, 1, 1]) }, options);
  assert.deepEqual(positions(pairs), [
    [1, 0],
    [2, 2],
    [0, 1],
  ]);
});
