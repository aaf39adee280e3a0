import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { folderFiles } from '../../../../test/support/folder-files.ts';
import type { TestFiles } from '../../../formats/core/kpi/workload.ts';
import { compilePattern } from '../../../platform/core/patterns/pattern.ts';
import { parseJsonPath } from './json-path.ts';
import { readFields } from './read-fields.ts';
import type { FieldDefinition, FieldSource } from './workload-definition.ts';

const work = mkdtempSync(join(tmpdir(), 'fields-'));
after(() => rmSync(work, { recursive: true }));
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(work, name)), { recursive: true });
  writeFileSync(join(work, name), text);
};

put('run.log', 'warm-up 12.5 ms\nthroughput: 100 req/s\nERROR one\nthroughput: 200.5 req/s\nnext\n');
put(
  'deep.json',
  '{"runs": [{"ms": 3}, {"ms": 1}, {"ms": 2}], "list": [1, "2", true], "none": [], "ok": true}',
);
put('conf.yaml', 'a:\n  memory: 512Mi\n  when: 1725271200\n');
put('table.csv', 'name,ms\r\na,1\r\nb,\r\n"c,\nd",3\r\ne,nan\r\n');
put('seed_1/progress.csv', 'Return,Steps\r\n1.5,100\r\nnan,200\r\n,250\r\n3.5,300\r\n4\r\n');
put('seed_2/progress.csv', 'Done,Steps,Return\nTrue,100,2\nFalse,300,inf\n');
put('2__run/value.txt', ' 2 \n');
put('10__run/value.txt', ' 10 \n');

const json = (path: string): FieldSource => ({ type: 'json', path: pathOf(path) });
const pathOf = (text: string) => {
  const path = parseJsonPath(text);
  assert.ok(path.ok, text);
  return path.value;
};
const regex = (text: string): FieldSource => ({ type: 'regex', pattern: compilePattern(text) });

async function read(
  file: string,
  source: FieldSource,
  more: Partial<FieldDefinition> = {},
  files: TestFiles = folderFiles(work),
) {
  const field: FieldDefinition = { name: 'it', file, source, type: 'any', ...more };
  const { fields, problems } = await readFields([field], files);
  return problems.length === 0 ? fields['it'] : problems;
}

test('JSON: one value, all values, and what is made of them', async () => {
  assert.equal(await read('deep.json', json('$.runs[0].ms')), 3);
  assert.deepEqual(await read('deep.json', json('$.runs[*].ms')), [3, 1, 2]);
  for (const [reduce, value] of [
    ['first', 3],
    ['last', 2],
    ['min', 1],
    ['max', 3],
    ['mean', 2],
    ['sum', 6],
    ['count', 3],
    ['list', [3, 1, 2]],
  ] as const) {
    assert.deepEqual(await read('deep.json', json('$..ms'), { reduce }), value, reduce);
  }
  assert.deepEqual(await read('deep.json', json('$.list'), { type: 'numbers' }), [1, 2, 1]);
  assert.equal(await read('deep.json', json('$.list'), { reduce: 'sum' }), 4);
  assert.deepEqual(await read('deep.json', json('$.none'), { type: 'numbers' }), []);
  assert.equal(await read('deep.json', json('$.none'), { reduce: 'count' }), 0);
});

test('YAML with quantities and times', async () => {
  assert.equal(
    await read('conf.yaml', { type: 'yaml', path: pathOf('$.a.memory') }, { type: 'quantity' }),
    512 * 2 ** 20,
  );
  assert.equal(
    await read('conf.yaml', { type: 'yaml', path: pathOf('$.a.when') }, { type: 'time' }),
    '2024-09-02T10:00:00.000Z',
  );
});

test('regular expressions look at lines: the last match, its group, or the number of matches', async () => {
  assert.equal(await read('run.log', regex('throughput: (\\S+)'), { type: 'number' }), 200.5);
  assert.equal(
    await read('run.log', regex('throughput: (?<value>\\d+)'), { type: 'number', reduce: 'first' }),
    100,
  );
  assert.equal(await read('run.log', regex('(?i)error'), { reduce: 'count' }), 1);
  assert.equal(await read('run.log', regex('FATAL'), { reduce: 'count' }), 0);
  assert.deepEqual(
    await read('run.log', { type: 'number' }, { reduce: 'list', type: 'number' }),
    [12.5, 100, 200.5],
  );
  assert.deepEqual(await read('run.log', regex('FATAL')), [
    'it: no line of run.log matches FATAL, or it cannot be read',
  ]);
});

test('columns are found by name; quoted cells with line ends are one cell, and nan is reported', async () => {
  assert.deepEqual(await read('table.csv', { type: 'csv', column: 'name' }, { type: 'text' }), [
    'a',
    'b',
    'c,\nd',
    'e',
  ]);
  assert.deepEqual(await read('table.csv', { type: 'csv', column: 'ms' }, { type: 'number' }), [
    'it: table.csv: 1 of 3 values were left out: "nan" is not a finite number',
  ]);
  assert.deepEqual(await read('table.csv', { type: 'csv', column: 'nothing' }), [
    'it: table.csv has no value in a column "nothing", or cannot be read',
  ]);
});

test('curves of several seeds: any order of columns, CRLF, nan and inf as gaps, empty and missing cells no points', async () => {
  const curve = { type: 'curve', x: 'Steps', y: 'Return' } as const;
  assert.deepEqual(await read('seed_*/progress.csv', curve, { reduce: 'list' }), [
    { x: [100, 200, 300], y: [1.5, null, 3.5] },
    { x: [100, 300], y: [2, null] },
  ]);
  const done = { type: 'curve', x: 'Steps', y: 'Done' } as const;
  assert.deepEqual(await read('seed_2/progress.csv', done), { x: [100, 300], y: [1, 0] });
});

test('whole texts; of several files the last in order counts', async () => {
  assert.equal(await read('*__run/value.txt', { type: 'text' }, { type: 'number' }), 2);
  assert.deepEqual(await read('*__run/value.txt', { type: 'text' }, { type: 'text', reduce: 'list' }), [
    '10',
    '2',
  ]);
  const files = folderFiles(work, { artifactFolders: { run: '10__*' } });
  assert.equal(await read('value.txt', { type: 'text' }, { artifact: 'run', type: 'integer' }, files), 10);
  assert.deepEqual(await read('value.txt', { type: 'text' }, { artifact: 'no' }, files), [
    'it: no folder matches the artifact no',
  ]);
});

test('what is missing is reported, unless there is a default', async () => {
  assert.deepEqual(await read('gone.json', json('$.a')), ['it: gone.json is missing or cannot be read']);
  assert.deepEqual(await read('*.gone', json('$.a')), ['it: no file matches *.gone']);
  assert.deepEqual(await read('deep.json', json('$.a')), ['it: deep.json has nothing at $.a']);
  assert.deepEqual(await read('deep.json', json('$.ok'), { type: 'semver' }), [
    'it: deep.json: true is not a version like 1.13.0',
  ]);
  assert.equal(await read('gone.json', json('$.a'), { default: 7 }), 7);
  assert.equal(await read('gone.json', json('$.a'), { default: null }), undefined);
});

test('a file is read once, however many fields come from it, and not further than it must be', async () => {
  let lines = 0;
  const files: TestFiles = {
    ...folderFiles(work),
    async *lineBlocks() {
      for (; lines < 1_000_000; lines++) yield [`throughput: ${lines}`];
    },
  };
  const field = {
    file: 'run.log',
    source: regex('throughput: (\\d+)'),
    type: 'number',
    reduce: 'first',
  } as const;
  const { fields } = await readFields(
    [
      { name: 'a', ...field },
      { name: 'b', ...field },
    ],
    files,
  );
  assert.deepEqual(fields, { a: 0, b: 0 });
  assert.equal(lines, 0);
});

test('a line of any length is searched, by an expression of any shape', async () => {
  put('long.log', `${'x1 '.repeat(2000)}throughput: 7 req/s\n`);
  assert.equal(await read('long.log', regex('(?:x\\d )+throughput: (\\d+)'), { type: 'number' }), 7);
  assert.equal(await read('long.log', regex('throughput: (\\d+)'), { type: 'number' }), 7);
  assert.equal(await read('long.log', regex('(x+x+)+y'), { reduce: 'count' }), 0);
});
