import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelLines } from './level-lines.ts';

test('every level is a line of its own with a band around it, and gaps stay gaps', () => {
  const [first, second, run] = levelLines({
    times: [1, 2, 3, 4],
    values: [10, null, 20, 21],
    runIds: ['a', 'b', 'c', 'd'],
    levels: [
      { start: 0, end: 2, value: 10, scale: 1, count: 1 },
      { start: 2, end: 4, value: 20.5, scale: 0, count: 2 },
    ],
  });
  assert.deepEqual(
    [first?.times, first?.values],
    [
      [1, 2],
      [10, 10],
    ],
  );
  assert.deepEqual(
    [first?.low, first?.high],
    [
      [8.04, 8.04],
      [11.96, 11.96],
    ],
  );
  assert.deepEqual(
    [second?.times, second?.values, second?.low],
    [
      [3, 4],
      [20.5, 20.5],
      [20.5, 20.5],
    ],
  );
  assert.deepEqual(Array.from(run?.values ?? []), [10, Number.NaN, 20, 21]);
});
