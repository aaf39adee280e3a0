import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOfIndexMap } from './parse-json.ts';

test('only an object with every index from 0 is a list', () => {
  assert.deepEqual(listOfIndexMap({ 0: 5, 1: null, 2: 7 }), [5, null, 7]);
  assert.deepEqual(listOfIndexMap({ 1: 7, 0: 5 }), [5, 7]);
  for (const object of [{}, { 1: 5 }, { 0: 5, 2: 7 }, { 0: 5, a: 7 }, { 0: 'x' }, { '00': 5 }, { 0: [5] }]) {
    assert.equal(listOfIndexMap(object), undefined, JSON.stringify(object));
  }
});
