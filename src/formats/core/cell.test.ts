import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cellKind, cellNumber, showCell } from './cell.ts';

test('numbers as text are read, gaps and other text are distinguished', () => {
  const cases: [string, ReturnType<typeof cellNumber>][] = [
    ['0', 0],
    ['-0.0', -0],
    [' 12\t', 12],
    ['1e-3', 0.001],
    ['1.7976931348623157e309', Number.POSITIVE_INFINITY],
    ['-inf', Number.NEGATIVE_INFINITY],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['', 'gap'],
    ['  ', 'gap'],
    ['NaN', 'gap'],
    ['None', 'gap'],
    ['N/A', 'gap'],
    ['0x10', 'other'],
    [' 0x0', 'other'],
    ['0b1', 'other'],
    ['12ms', 'other'],
    ['1,5', 'other'],
    ['--1', 'other'],
    ['True', 'other'],
  ];
  for (const [text, expected] of cases) assert.equal(cellNumber(text), expected, JSON.stringify(text));
});

test('every finite number survives being written as text', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(cellNumber(String(value)), value === 0 ? 0 : value);
    }),
  );
});

test('text that looks like a number is one only where all is text', () => {
  assert.equal(cellKind('12', true), 'number');
  assert.equal(cellKind('12', false), 'text');
  assert.equal(cellKind('True', true), 'boolean');
  assert.equal(cellKind('True', false), 'text');
  assert.equal(cellKind(true, false), 'boolean');
  assert.equal(cellKind([1, 'x'], false), 'number');
  assert.equal(cellKind(['x'], false), 'list');
  assert.equal(cellKind(undefined, true), 'gap');
});

test('a cell is shown as it was written, and not at any length', () => {
  assert.equal(showCell('a"b'), '"a\\"b"');
  assert.equal(showCell(''), 'empty');
  assert.equal(showCell(undefined), 'missing');
  assert.equal(showCell([1]), 'a list');
  assert.equal(showCell('x'.repeat(1000)).length, 60);
});
