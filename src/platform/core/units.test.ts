import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directionOf, inBase, toBase } from './units.ts';

test('times become seconds and sizes bytes', () => {
  const cases: [number, string, number, string][] = [
    [12, 'ms', 0.012, 's'],
    [7, 'ns', 7e-9, 's'],
    [3, '\u00b5s', 3e-6, 's'],
    [3, '\u03bcs', 3e-6, 's'],
    [2, 'min', 120, 's'],
    [2, 'KiB', 2048, 'B'],
    [2, 'kB', 2000, 'B'],
    [1, 'GiB', 2 ** 30, 'B'],
    [5, 'ns/op', 5e-9, 's/op'],
    [5, 'MB / s', 5e6, 'B/s'],
    [5, 'frames', 5, 'frames'],
    [5, '', 5, ''],
    [5, 'constructor', 5, 'constructor'],
  ];
  for (const [value, unit, expected, base] of cases) {
    const scale = toBase(unit);
    assert.equal(scale.unit, base);
    assert.equal(inBase(value, scale), expected);
  }
});

test('times and sizes are better lower, rates higher, others unknown', () => {
  assert.equal(directionOf('s'), 'lower');
  assert.equal(directionOf('B'), 'lower');
  assert.equal(directionOf('s/op'), 'lower');
  assert.equal(directionOf('B/s'), 'higher');
  assert.equal(directionOf('ops/s'), 'higher');
  assert.equal(directionOf(''), 'unknown');
  assert.equal(directionOf('return'), 'unknown');
});
