import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Iterations } from '../../../formats/core/format.ts';
import { slowDown } from './measure-run.ts';

const side = (spans: readonly (readonly [number, number])[]): Iterations => ({
  numbers: Int32Array.from(spans, (_, i) => i),
  starts: Float64Array.from(spans, ([start]) => start),
  ends: Float64Array.from(spans, ([, end]) => end),
  times: Float64Array.from(spans, ([start, end]) => end - start),
});
const spansOf = ({ starts, ends }: Iterations) => Array.from(starts ?? [], (start, i) => [start, ends?.[i]]);
const gaps = side([
  [1, 2],
  [3, 4],
]);

test('in a free duet the extra time adds up and gaps stay', () => {
  const slow = slowDown(gaps, 2, 'duet');
  assert.deepEqual(spansOf(slow), [
    [1, 4],
    [5, 8],
  ]);
  assert.deepEqual([...slow.times], [3, 3]);
  const back = side([
    [0, 2],
    [2, 4],
  ]);
  assert.deepEqual(spansOf(slowDown(back, -0.5, 'duet')), [
    [0, 1],
    [1, 2],
  ]);
});

test('elsewhere an iteration begins when it began', () => {
  for (const type of ['syncduet', 'seqn'] as const) {
    assert.deepEqual(spansOf(slowDown(gaps, 0.5, type)), [
      [1, 2.5],
      [3, 4.5],
    ]);
  }
});

test('what is given stays as it is', () => {
  slowDown(gaps, 2, 'duet');
  assert.deepEqual(spansOf(gaps), [
    [1, 2],
    [3, 4],
  ]);
  assert.equal(slowDown(gaps, 0, 'duet'), gaps);
  const untimed = slowDown({ numbers: Int32Array.of(0), times: Float64Array.of(10) }, 0.1, 'duet');
  assert.deepEqual([[...untimed.times], untimed.starts], [[11], undefined]);
});
