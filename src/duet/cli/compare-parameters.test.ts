import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  combinations,
  JOIN,
  joinParameterWords,
  parseList,
  parseScan,
  requireUse,
  substitute,
} from './compare-parameters.ts';

test('the words of a parameter become one, and only they', () => {
  assert.deepEqual(joinParameterWords(['-L', 'n', '1,2', 'a {n}', '-P', 'x', '1', '3', 'b', '-r', '5']), [
    '-L',
    `n${JOIN}1,2`,
    'a {n}',
    '-P',
    `x${JOIN}1${JOIN}3`,
    'b',
    '-r',
    '5',
  ]);
  assert.deepEqual(joinParameterWords(['--', '-L', 'a', 'b']), ['--', '-L', 'a', 'b']);
});

test('a comma can belong to a value', () => {
  assert.deepEqual(parseList(`n${JOIN}a\\,b,c`), { name: 'n', values: ['a,b', 'c'] });
});

test('a scan has both ends, and decimals as written', () => {
  assert.deepEqual(parseScan(`n${JOIN}1${JOIN}4`, undefined).values, ['1', '2', '3', '4']);
  assert.deepEqual(parseScan(`n${JOIN}0${JOIN}0.3`, '0.1').values, ['0.0', '0.1', '0.2', '0.3']);
});

test('what is no range is refused', () => {
  for (const [range, step] of [
    ['1 x', '1'],
    ['5 1', '1'],
    ['1 5', '0'],
    ['1 5', '-1'],
    ['0 1000000', '1'],
    ['1', '1'],
  ] as const) {
    const text = `n ${range}`.replaceAll(' ', JOIN);
    assert.throws(() => parseScan(text, step), { code: 'CLI_INVALID_OPTION' }, `${range} ${step}`);
  }
  assert.throws(() => parseList('n'), { code: 'CLI_INVALID_OPTION', message: /needs a name and values/ });
});

test('every combination is there, the last name changing fastest', () => {
  const all = combinations([
    { name: 'a', values: ['1', '2'] },
    { name: 'b', values: ['x', 'y'] },
  ]);
  assert.deepEqual(all, [
    { a: '1', b: 'x' },
    { a: '1', b: 'y' },
    { a: '2', b: 'x' },
    { a: '2', b: 'y' },
  ]);
  assert.deepEqual(combinations([]), [{}]);
  assert.throws(() => combinations([1, 2].map(() => ({ name: 'a', values: ['1'] }))), {
    message: 'The parameter "a" is given twice.',
  });
});

test('values go where the name stands, and other braces stay', () => {
  assert.equal(substitute("awk '{print {n}}' {toString}", { n: '3' }), "awk '{print 3}' {toString}");
});

test('a parameter that is in no command is refused, with what was meant', () => {
  const parameters = [{ name: 'thread', values: ['1'] }];
  assert.throws(() => requireUse(parameters, ['run {threads}']), {
    message: 'The parameter "thread" is in no command.',
    hint: 'The commands have {threads}: did you mean -L threads?',
  });
  requireUse(parameters, ['old', 'new {thread}']);
});
