import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Column, readSorting, sortRows, writeSorting } from './column.ts';

interface Row {
  readonly name: string;
  readonly value?: number;
}
const columns: readonly Column<Row>[] = [
  { key: 'name', title: 'name', cell: ({ name }) => name, sortBy: ({ name }) => name },
  { key: 'value', title: 'value', cell: ({ value }) => value, sortBy: ({ value }) => value },
];
const rows: readonly Row[] = [
  { name: 'run 10', value: 2 },
  { name: 'run 2', value: Number.NaN },
  { name: 'run 1', value: 7 },
  { name: 'run 3' },
];
const names = (sorting: string) => sortRows(rows, columns, readSorting(sorting)).map(({ name }) => name);

test('names are sorted as people count', () => {
  assert.deepEqual(names('name'), ['run 1', 'run 2', 'run 3', 'run 10']);
  assert.deepEqual(names('-name'), ['run 10', 'run 3', 'run 2', 'run 1']);
});

test('what has no value comes last in either direction', () => {
  assert.deepEqual(names('value'), ['run 10', 'run 1', 'run 2', 'run 3']);
  assert.deepEqual(names('-value'), ['run 1', 'run 10', 'run 2', 'run 3']);
});

test('an unknown column leaves the order', () => {
  assert.deepEqual(names('age'), ['run 10', 'run 2', 'run 1', 'run 3']);
  assert.equal(readSorting('-'), undefined);
  assert.equal(writeSorting({ key: 'age', isDescending: true }), '-age');
});
