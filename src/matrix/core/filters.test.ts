import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFilters, passesFilters } from './filters.ts';

test('the last of two equal keys counts, and an empty value is a value', () => {
  assert.deepEqual([...parseFilters('a=1,a=2')], [['a', ['2']]]);
  assert.deepEqual([...parseFilters('a=')], [['a', ['']]]);
  assert.equal(parseFilters('').size, 0);
});

test('an escaped colon or comma belongs to the value', () => {
  assert.deepEqual(
    [...parseFilters('a=x\\:y:z,b=p\\,q')],
    [
      ['a', ['x:y', 'z']],
      ['b', ['p,q']],
    ],
  );
});

test('refuses a part without "="', () => {
  assert.throws(() => parseFilters('abc'), { code: 'MATRIX_BAD_FILTER', message: /"abc"/ });
  assert.throws(() => parseFilters('a=1,'), { code: 'MATRIX_BAD_FILTER' });
});

test('compares numbers as text and never shuts out what has no such setting', () => {
  const filters = parseFilters('users=4:16');
  assert.equal(passesFilters({ users: 4 }, filters), true);
  assert.equal(passesFilters({ users: '16' }, filters), true);
  assert.equal(passesFilters({ users: 8 }, filters), false);
  assert.equal(passesFilters({ other: 1 }, filters), true);
});

test('true is found as "true" and as "True"; the original knows the latter only', () => {
  for (const text of ['x=true', 'x=True']) assert.equal(passesFilters({ x: true }, parseFilters(text)), true);
  assert.equal(passesFilters({ x: true }, parseFilters('x=true'), true), false);
  assert.equal(passesFilters({ x: true }, parseFilters('x=True'), true), true);
});
