import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, exactNumber, formatChange, formatDuration, formatNumber } from './numbers.ts';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

test('shows three significant digits and keeps whole digits', () => {
  const cases: readonly [number, string][] = [
    [0, '0'],
    [5, '5'],
    [0.5, '0.500'],
    [-5.3, '−5.30'],
    [9.999, '10.0'],
    [99.96, '100'],
    [999.4, '999'],
    [4812.3, '4 812'],
    [1234567, '1 234 567'],
    [12345678, '1.23e7'],
    [0.00012345, '0.000123'],
    [0.0000075, '7.50e−6'],
    [Number.MIN_VALUE, '4.94e−324'],
    [Number.MAX_VALUE, '1.80e308'],
  ];
  for (const [value, text] of cases) assert.equal(plain(formatNumber(value)), text);
});

test('shows seconds in the multiple that reads best', () => {
  assert.equal(plain(formatNumber(0.0125, 's')), '12.5 ms');
  assert.equal(plain(formatNumber(0.0000075, 's')), '7.50 µs');
  assert.equal(plain(formatNumber(3e-10, 's')), '0.300 ns');
  assert.equal(plain(formatNumber(1500, 'ms')), '1.50 s');
  assert.equal(plain(formatNumber(0.99999, 's')), '1.00 s');
  assert.equal(plain(formatNumber(4812, 's')), '4 812 s');
  assert.equal(plain(formatNumber(250_000, 'ns')), '250 µs');
  assert.equal(plain(formatNumber(0, 's')), '0 s');
  assert.equal(plain(formatNumber(5, 's')), '5.00 s');
  assert.equal(plain(formatNumber(0.015, 's')), '15.0 ms');
  assert.equal(plain(formatNumber(-0.5, 's')), '−500 ms');
});

test('shows bytes in powers of 1024', () => {
  assert.equal(plain(formatNumber(1536, 'B')), '1.50 KiB');
  assert.equal(plain(formatNumber(5 * 2 ** 30, 'bytes')), '5.00 GiB');
  assert.equal(plain(formatNumber(42, 'B')), '42 B');
  assert.equal(plain(formatNumber(0.5, 'MiB')), '512 KiB');
});

test('leaves other units as they are, also those named like parts of an object', () => {
  assert.equal(plain(formatNumber(4.8, '%')), '4.80 %');
  assert.equal(plain(formatNumber(1e5, 'ops/s')), '100 000 ops/s');
  assert.equal(plain(formatNumber(2, 'constructor')), '2 constructor');
});

test('says what is no number', () => {
  assert.equal(formatNumber(Number.NaN, 's'), 'not a number');
  assert.equal(formatNumber(Number.POSITIVE_INFINITY), '∞');
  assert.equal(formatNumber(Number.NEGATIVE_INFINITY), '−∞');
});

test('gives the exact value beside it', () => {
  assert.equal(exactNumber(0.30000000000000004, 's'), '0.30000000000000004 s');
  assert.equal(exactNumber(7), '7');
});

test('writes a change with its sign', () => {
  assert.equal(plain(formatChange(0.048)), '+4.8 %');
  assert.equal(plain(formatChange(-0.1234)), '−12.3 %');
  assert.equal(plain(formatChange(1.5)), '+150 %');
  assert.equal(plain(formatChange(0.0001)), '0.0 %');
  assert.equal(plain(formatChange(-0.0001)), '0.0 %');
  assert.equal(formatChange(Number.NaN), '~');
});

test('writes durations in at most two words', () => {
  const cases: readonly [number, string][] = [
    [0, '0 ms'],
    [820, '820 ms'],
    [999.7, '1 s'],
    [12_540, '12.5 s'],
    [59_960, '1 min'],
    [65_000, '1 min 5 s'],
    [3_599_900, '1 h'],
    [72 * 60_000, '1 h 12 min'],
    [76 * 3_600_000, '3 d 4 h'],
    [Number.NaN, '~'],
  ];
  for (const [ms, text] of cases) assert.equal(plain(formatDuration(ms)), text);
});

test('counts things', () => {
  assert.equal(counted(1, 'night'), '1 night');
  assert.equal(plain(counted(1234, 'night')), '1 234 nights');
  assert.equal(counted(0, 'entry', 'entries'), '0 entries');
});
