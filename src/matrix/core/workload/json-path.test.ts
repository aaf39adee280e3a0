import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { parseJsonPath, selectPath } from './json-path.ts';

const document: JsonValue = {
  a: { b: [10, 20, 30], 'x y': 1, 'a.b': 2 },
  runs: [{ ms: 1, deep: { ms: 7 } }, { ms: 2 }, { other: 3 }],
  n: null,
};

function select(text: string): readonly JsonValue[] {
  const path = parseJsonPath(text);
  assert.ok(path.ok, text);
  return selectPath(document, path.value);
}

test('keys, places, quoted keys and the whole document', () => {
  assert.deepEqual(select('$.a.b[1]'), [20]);
  assert.deepEqual(select('$.a.b[-1]'), [30]);
  assert.deepEqual(select("$.a['x y']"), [1]);
  assert.deepEqual(select('$["a"]["a.b"]'), [2]);
  assert.deepEqual(select('a.b[0]'), [10]);
  assert.deepEqual(select('$'), [document]);
  assert.deepEqual(select('$.n'), [null]);
});

test('all of a list or mapping, and a key anywhere, in the order of the document', () => {
  assert.deepEqual(select('$.runs[*].ms'), [1, 2]);
  assert.deepEqual(select('$.a.*'), [[10, 20, 30], 1, 2]);
  assert.deepEqual(select('$..ms'), [1, 7, 2]);
  assert.deepEqual(select('$.runs..ms'), [1, 7, 2]);
  assert.deepEqual(select('$..b[0]'), [10]);
});

test('what is not there gives nothing; inherited names are not there', () => {
  for (const path of [
    '$.x',
    '$.a.b[9]',
    '$.a[0]',
    '$.a.b.c',
    '$.constructor',
    '$.__proto__',
    '$.a.b.length',
  ]) {
    assert.deepEqual(select(path), [], path);
  }
});

test('whether a path can lead to one value only', () => {
  const isDefinite = (text: string) => {
    const path = parseJsonPath(text);
    return path.ok && path.value.isDefinite;
  };
  assert.deepEqual(['$.a.b[0]', '$.a[*]', '$..a', '$.*'].map(isDefinite), [true, false, false, false]);
});

test('filters, scripts and typing mistakes are refused and reported', () => {
  for (const text of [
    '$.a[?(@.b>1)]',
    '$.a[(@.length-1)]',
    '$.',
    '$.a[',
    '$.a..',
    '$x',
    "$['a",
    '$...a',
    '$.a[1:2]',
  ]) {
    assert.equal(parseJsonPath(text).ok, false, text);
  }
});

test('a document nested ten thousand levels deep is searched', () => {
  let deep: JsonValue = { key: 1 };
  for (let level = 0; level < 10_000; level++) deep = [deep];
  const path = parseJsonPath('$..key');
  assert.ok(path.ok);
  assert.deepEqual(selectPath(deep, path.value), [1]);
});
