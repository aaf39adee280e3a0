import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultMapping } from '../../core/format.ts';
import json from './json.ts';

function paths(root: unknown, mapping: ResultMapping = {}) {
  const { samples } = json.read(JSON.stringify(root), mapping);
  return samples.map(({ benchmark, metric, values }) => [benchmark.join('/'), metric, values]);
}

test('each number of a tree has its path', () => {
  assert.deepEqual(paths({ a: { b: 1 }, c: 2, d: [[3], [4, 5]] }), [
    ['a/b', 'value', [1]],
    ['c', 'value', [2]],
    ['d/0', 'value', [3]],
    ['d/1', 'value', [4, 5]],
  ]);
  assert.deepEqual(paths([1, 2]), [['', 'value', [1, 2]]]);
});

test('a list of objects in a tree is a table under its path', () => {
  assert.deepEqual(
    paths({
      results: [
        { name: 'x', ms: 1 },
        { name: 'y', ms: 2, deep: { n: 3 } },
      ],
    }),
    [
      ['results/x', 'ms', [1]],
      ['results/y', 'ms', [2]],
      ['results/y', 'deep.n', [3]],
    ],
  );
});

test('a mapped key is found wherever a path ends with it', () => {
  const root = { x: { time: { p50: 1 }, n: 9 }, y: { time: { p50: [2, 3] }, n: 9 } };
  assert.deepEqual(paths(root, { value: 'time.p50' }), [
    ['x', 'time.p50', [1]],
    ['y', 'time.p50', [2, 3]],
  ]);
});

test('a key with a point in it is found as it is written', () => {
  assert.deepEqual(paths({ 'a.b': 1, c: 2 }, { value: 'a.b' }), [['', 'a.b', [1]]]);
  assert.deepEqual(paths([{ 'a.b': 1, c: 2 }], { value: 'a.b' }), [['', 'a.b', [1]]]);
});

test('what a row cannot hold is counted as failed', () => {
  const { failed } = json.read(
    '[{"n": 1, "runs": [{"t": 1}], "a.b": 2, "a": {"b": 3}, "m": [1, [2], {}]}]',
    {},
  );
  assert.deepEqual(failed, [
    'the list[0]: "runs" is a list of objects inside a row, which is not read',
    'the list[0]: "a.b" is there twice, the second is not read',
    'the list[0]: "m" is a list of objects inside a row, which is not read',
  ]);
});

test('one object with a mapped name is one row, and what the row cannot hold is counted', () => {
  const { samples, failed } = json.read('{"bench": "sort", "ms": 3, "runs": [{"t": 1}]}', { name: 'bench' });
  assert.deepEqual(
    samples.map(({ benchmark, metric, values }) => [benchmark, metric, values]),
    [[['sort'], 'ms', [3]]],
  );
  assert.deepEqual(failed, ['the object: "runs" is a list of objects inside a row, which is not read']);
});

test('a mapped value that is text is failed, and one that is a number as text is read', () => {
  const { samples, failed } = json.read('{"a": {"t": "12"}, "b": {"t": "fast"}, "c": {"t": false}}', {
    value: 't',
  });
  assert.deepEqual(
    samples.map(({ values }) => values),
    [[12]],
  );
  assert.deepEqual(failed, ['"b.t" is "fast", not a number', '"c.t" is false, not a number']);
});

test('hostile keys are only keys', () => {
  const { samples } = json.read('{"__proto__": {"polluted": 1}, "constructor": 2}', {});
  assert.deepEqual(
    samples.map(({ benchmark }) => benchmark),
    [['__proto__', 'polluted'], ['constructor']],
  );
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.throws(() => json.read('{"a": 1}', { value: 'constructor' }), { code: 'IMPORT_NO_COLUMN' });
});
