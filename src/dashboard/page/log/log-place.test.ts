import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteOf, findPlaces, hasByte } from './log-place.ts';
import { newStretch } from './log-stretch.ts';

const stretches = [
  newStretch({ from: 0, next: 14, text: 'first\nERROR x\n' }),
  newStretch({ from: 90, next: 103, text: 'rest\nan error' }),
];

test('lines are found whatever the case, by number where they are counted, by byte where not', () => {
  assert.deepEqual(findPlaces(stretches, 'Error'), ['2', 'b95']);
  assert.deepEqual(findPlaces(stretches, ''), []);
});

test('a place that names a byte is told from a line', () => {
  assert.equal(byteOf('b95'), 95);
  assert.equal(byteOf('12'), undefined);
  assert.equal(byteOf('b-1'), undefined);
  assert.deepEqual(
    [0, 13, 14, 95, 103].map((byte) => hasByte(stretches, byte)),
    [true, true, false, true, false],
  );
});
