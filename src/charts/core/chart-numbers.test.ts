import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barText, significant } from './chart-numbers.ts';

test('numbers read as Python writes them with "%.3g"', () => {
  for (const [value, text] of [
    [0, '0'],
    [1, '1'],
    [-2.5, '-2.5'],
    [123.456, '123'],
    [999.6, '1e+03'],
    [1234, '1.23e+03'],
    [0.0001234, '0.000123'],
    [0.00001234, '1.23e-05'],
    [0.1, '0.1'],
    [1e100, '1e+100'],
    [5e-324, '4.94e-324'],
  ] as const) {
    assert.equal(significant(value, 3), text);
  }
});

test('a bar says less below 1, one figure where the text gets long, and nothing for zero', () => {
  assert.equal(barText(12.345, 3), '12.3');
  assert.equal(barText(0.12345, 3), '0.12');
  assert.equal(barText(1234, 3), '1e+03');
  assert.equal(barText(1234, 4), '1234');
  assert.equal(barText(-0.5, 1), '-0.5');
  assert.equal(barText(0, 3), '');
  assert.equal(barText(Number.NaN, 3), '');
});
