import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJvmIterations } from '../../../formats/core/jvm-iterations.ts';
import type { ResultName } from '../duet.ts';
import { compatColumns } from './compat-table.ts';
import { csvSyntax, type TableFile } from './iteration-table.ts';

function file(runid: number, text: string): TableFile {
  const name: ResultName = {
    suite: 'dacapo',
    benchmark: 'b',
    runid,
    type: 'duet',
    order: 'AB',
    pair: 'A',
    file: 'r',
  };
  return {
    name,
    reading: readJvmIterations(text),
    artifacts: [
      { name: 'date', value: 'today' },
      { name: 'odd', value: 'x' },
    ],
    results: 'r',
  };
}

function table(...files: readonly TableFile[]): readonly string[] {
  const columns = compatColumns();
  for (const it of files) columns.look(it);
  const form = columns.finish();
  const text = csvSyntax.begin(form.columns) + files.map((it) => csvSyntax.rows(form, it, false)).join('');
  return text.trimEnd().split('\n');
}

test('whole numbers stay whole while every file has them, without a gap', () => {
  const [header, first] = table(
    file(0, 'iteration_time_ns,start_unix,heap,gc\n5,7,1,g1\n'),
    file(1, 'iteration_time_ns,start_unix,heap,gc\n6,8,2,zgc\n'),
  );
  assert.equal(
    header,
    'benchmark,start_unix,heap,gc,iteration_time_ns,suite,type,order,pair,runid,iteration,iteration_start_ns,iteration_end_ns,date',
  );
  assert.equal(first, 'b,7,1,g1,5,dacapo,duet,AB,A,0,1,7000000.0,7000005.0,today');
});

test('a gap, a fraction or a file that lacks the column makes doubles of all', () => {
  const lacking = table(
    file(0, 'iteration_time_ns,start_unix,heap\n5,7,1\n'),
    file(1, 'iteration_time_ns,start_unix\n6,8\n'),
  );
  assert.deepEqual(
    lacking.slice(1).map((row) => row.split(',').slice(0, 3)),
    [
      ['b', '7', '1.0'],
      ['b', '8', ''],
    ],
  );
  const [, gap, whole] = table(file(0, 'iteration_time_ns,start_unix,heap\n5,7,\n5,8,2\n'));
  assert.deepEqual([gap?.split(',')[2], whole?.split(',')[2]], ['', '2.0']);
  const fractions = table(
    file(0, 'iteration_time_ns,start_unix,heap\n5,7,1.5\n'),
    file(1, 'iteration_time_ns,start_unix,heap\n5,7,3\n'),
  );
  assert.deepEqual(
    fractions.slice(1).map((row) => row.split(',')[2]),
    ['1.5', '3.0'],
  );
});
