import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pythonRepr } from './python-repr.ts';

test('values look as Python prints them', () => {
  const value = { a: [1, 0.5, 1e-7, true, null], "it's": 'a\n"b"', b: "it's" };
  assert.equal(pythonRepr(value), `{'a': [1, 0.5, 1e-07, True, None], "it's": 'a\\n"b"', 'b': "it's"}`);
  assert.equal(pythonRepr({ a: [true, null, 1.5], "b'": "it's" }), `{'a': [True, None, 1.5], "b'": "it's"}`);
  assert.equal(pythonRepr(`'"\\`), `'\\'"\\\\'`);
});
