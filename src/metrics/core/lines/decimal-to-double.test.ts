import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ColumnRegistry } from '../series/column-registry.ts';
import { decimalToDouble } from './decimal-to-double.ts';
import { readLines } from './read-lines.ts';

const encoder = new TextEncoder();
const read = (text: string) => decimalToDouble(encoder.encode(text), 0, text.length);
const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: most }).map((list) => list.join(''));

test('gives what Number gives, to the bit, wherever it gives anything', () => {
  const text = fc
    .tuple(digits(20), digits(24), fc.option(fc.integer({ min: -30, max: 30 })))
    .map(([whole, part, power]) => `${whole || '0'}.${part}${power === null ? '' : `e${power}`}`);
  fc.assert(
    fc.property(text, (one) => {
      const found = read(one);
      if (!Number.isNaN(found)) assert.ok(Object.is(found, Number(one)), one);
    }),
    { numRuns: 20_000, seed: 7 },
  );
});

test('takes nearly all doubles as they are printed, and rounds those right that lie between two', () => {
  let taken = 0;
  let state = 12_345;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < 100_000; i++) {
    const value = (random() + random() / 2 ** 32) * 10 ** Math.floor(random() * 8 - 3);
    const found = read(String(value));
    if (!Number.isNaN(found)) assert.equal(found, value);
    taken += Number.isNaN(found) ? 0 : 1;
  }
  assert.ok(taken > 99_900, `${taken}`);
  // Halfway between two doubles, and one digit beside it.
  for (const one of [
    '9007199254740993.0',
    '9007199254740992.9',
    '9007199254740993.1',
    '4503599627370497.5',
  ]) {
    const found = read(one);
    if (!Number.isNaN(found)) assert.equal(found, Number(one), one);
  }
});

test('what is no number is left to others', () => {
  for (const one of ['', '.', '1.2.3', '1e', '1e+', '1e1.5', 'e5', '1f', '12345678901234567890', '1e999'])
    assert.ok(Number.isNaN(read(one)), one);
  assert.equal(read('1e-07'), 1e-7);
  assert.equal(read('1E+22'), 1e22);
});

test('lines with long numbers give the same as Number, with their sign', () => {
  const texts = [
    '0.12345678901234567',
    '-3.2e-05',
    '-0.0000000000000000',
    '1e400',
    '9007199254740991i',
    '1.5e3',
  ];
  const registry = new ColumnRegistry();
  const body = encoder.encode(texts.map((text, i) => `m${i} v=${text} 1`).join('\n'));
  const { rows, refused } = readLines(body, registry, {
    database: 'd',
    precision: 's',
    receivedAt: { ms: 0, ns: 0 },
  });
  assert.deepEqual(
    Array.from(rows.value.subarray(0, rows.count)),
    [0.12345678901234566, -3.2e-5, -0, 9007199254740991, 1500],
  );
  assert.deepEqual(
    refused.map(({ message }) => message),
    ['invalid float'],
  );
});
