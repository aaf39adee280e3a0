import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { SeriesTextReader } from './parse-series.ts';

function read(text: string, column?: string) {
  const reader = new SeriesTextReader('x', column);
  for (const line of text.split('\n')) reader.push(line);
  return reader.finish();
}
const values = (text: string, column?: string) => Array.from(read(text, column).values);
const failure = (text: string, column?: string) => {
  try {
    read(text, column);
  } catch (error) {
    assert.ok(error instanceof NightmarkError);
    return `${error.code}: ${error.message} ${error.hint}`;
  }
  return assert.fail('it should have failed');
};

test('one number a line, in all their forms', () => {
  assert.deepEqual(values('1\n-2.5\n +3e2 \n.5\n4.'), [1, -2.5, 300, 0.5, 4]);
});

test('blank lines inside are gaps, at the end they are nothing', () => {
  assert.deepEqual(values('1\n\n\n2\n\n'), [1, Number.NaN, Number.NaN, 2]);
  assert.equal(read('1\n\n\n2\n\n').gaps, 2);
});

test('failures and not-a-numbers are gaps', () => {
  const { values: found, gaps } = read('1\nnan\nfailed\nN/A\ninf\n-\n2');
  assert.deepEqual([Array.from(found), gaps], [[1, ...new Array<number>(5).fill(Number.NaN), 2], 5]);
});

test('a header names the only column, and lines are counted as an editor does', () => {
  const { column, firstLine, values: found } = read('\uFEFFtime\n1\n2');
  assert.deepEqual([column, firstLine, Array.from(found)], ['time', 2, [1, 2]]);
});

test('a column is chosen by name or number; cells may be quoted', () => {
  const table = 'commit,mean,"odd, name"\nab,1,"2"\ncd,,4\n';
  assert.deepEqual(values(table, 'mean'), [1, Number.NaN]);
  assert.deepEqual(values(table, '3'), [2, 4]);
  assert.deepEqual(values(table, 'odd, name'), [2, 4]);
  assert.deepEqual(values('a\tb\n1\t2\n', 'b'), [2]);
  assert.deepEqual(values('1;2\n3;4\n', '2'), [2, 4]);
});

test('mistakes are reported with their line and what to do', () => {
  assert.match(failure('1\n12 ms'), /^CHANGES_NOT_A_NUMBER: x:2: "12 ms" is not a number/);
  assert.match(
    failure('a,b\n1,2'),
    /^CHANGES_WHICH_COLUMN: x:1: there are 2 columns\. Choose one with --column: a, b/,
  );
  assert.match(failure('mean,b\n1,2', 'men'), /^CHANGES_NO_COLUMN: .*Did you mean "mean"/);
  assert.match(failure('a,b\n1,2', '0'), /^CHANGES_NO_COLUMN/);
});

test('nothing is nothing', () => {
  assert.deepEqual([read('').values.length, read('\n\n').values.length, read('nan\n').gaps], [0, 0, 1]);
});
