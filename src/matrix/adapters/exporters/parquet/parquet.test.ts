import assert from 'node:assert/strict';
import { test } from 'node:test';
import parquet, { nameColumns, rowCells, rowLine } from './parquet.ts';

const isInstalled = await import(`@duckdb/${'node-api'}`).then(
  () => true,
  () => false,
);

test('names that differ in case only get a number, and rows are read back', () => {
  const columns = nameColumns([
    { name: 'label.A', type: 'text' },
    { name: 'label.a', type: 'json' },
    { name: 'kpi.x', type: 'number' },
  ]);
  assert.deepEqual(
    columns.map(({ column }) => column),
    ['label.A', 'label.a (2)', 'kpi.x'],
  );
  const line = rowLine(columns, ['t', [1, null], undefined]);
  assert.equal(line, '{"label.A":"t","label.a (2)":"[1,null]"}\n');
  assert.deepEqual(rowCells(columns, JSON.parse(line)), ['t', [1, null], undefined]);
});

const skip = isInstalled ? '@duckdb/node-api is installed here' : false;
test('without DuckDB it says what to install', { skip }, async () => {
  const target = { place: '/nonexistent/x.parquet', options: {}, secrets: {}, isDryRun: false };
  await assert.rejects(parquet.export([], target, new AbortController().signal), {
    code: 'EXPORT_NO_DUCKDB',
    hint: /npm install @duckdb\/node-api/,
  });
});
