import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pythonFloat, pythonRepr } from './python-values.ts';

/** Left as CPython 3.11 printed them by repr(). */
const RECORDED: readonly (readonly [number, string])[] = [
  [0, '0.0'],
  [-0, '-0.0'],
  [1, '1.0'],
  [-2.5, '-2.5'],
  [0.1, '0.1'],
  [1 / 3, '0.3333333333333333'],
  [1e15, '1000000000000000.0'],
  [9999999999999998, '9999999999999998.0'],
  [1e16, '1e+16'],
  [1.652636051108e18, '1.652636051108e+18'],
  [1652636056697904600, '1.6526360566979046e+18'],
  [1e21, '1e+21'],
  [1e22, '1e+22'],
  [1.5e300, '1.5e+300'],
  [0.0001, '0.0001'],
  [0.00012345, '0.00012345'],
  [0.00001, '1e-05'],
  [1e-7, '1e-07'],
  [1.5e-10, '1.5e-10'],
  [5e-324, '5e-324'],
  [2 ** 53, '9007199254740992.0'],
  [Number.NaN, 'nan'],
  [Infinity, 'inf'],
  [-Infinity, '-inf'],
];

test('doubles are written as Python writes them', () => {
  for (const [value, text] of RECORDED) assert.equal(pythonFloat(value), text);
});

test('what is written reads back as the same double', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.ok(Object.is(Number(pythonFloat(value)), value));
    }),
  );
});

test('values look as Python prints them', () => {
  const value = { a: [1, 0.5, 1e-7, true, null], "it's": 'a\n"b"', b: "it's" };
  assert.equal(pythonRepr(value), `{'a': [1, 0.5, 1e-07, True, None], "it's": 'a\\n"b"', 'b': "it's"}`);
  assert.equal(pythonRepr({ a: [true, null, 1.5], "b'": "it's" }), `{'a': [True, None, 1.5], "b'": "it's"}`);
  assert.equal(pythonRepr(`'"\\`), `'\\'"\\\\'`);
});
