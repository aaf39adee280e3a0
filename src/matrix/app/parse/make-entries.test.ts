import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSettingsRegistry } from './make-entries.ts';

test('the first keeps its settings', () => {
  const book = createSettingsRegistry(false);
  assert.deepEqual(book.claim({ b: 'x', a: 4 }, 'one'), { state: 'new', key: 'a=4|b=x' });
  assert.deepEqual(book.claim({ a: 4, b: 'x' }, 'two'), { state: 'taken', key: 'a=4|b=x', by: 'one' });
  assert.equal(book.claim({ a: 4, b: 'x', stats: 's' }, 'three').state, 'taken');
});

test('4 and "4" are different and the second is reported of the first; for the original they are the same', () => {
  const book = createSettingsRegistry(false);
  book.claim({ a: 4 }, 'one');
  assert.deepEqual(book.claim({ a: '4' }, 'two'), { state: 'new', key: 'a=4', lookalike: 'one' });
  assert.deepEqual(book.claim({ a: '4' }, 'three'), { state: 'taken', key: 'a=4', by: 'two' });
  const compat = createSettingsRegistry(true);
  compat.claim({ a: 4 }, 'one');
  assert.deepEqual(compat.claim({ a: '4' }, 'two'), { state: 'taken', key: 'a=4', by: 'one' });
});
