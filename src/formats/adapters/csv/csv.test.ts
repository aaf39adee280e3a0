import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ResultMapping } from '../../core/format.ts';
import { opinionOf } from '../../core/format.ts';
import csv from './csv.ts';

function metrics(text: string, mapping: ResultMapping = {}) {
  return Object.fromEntries(csv.read(text, mapping).samples.map(({ metric, values }) => [metric, values]));
}

test('the order of the columns does not matter', () => {
  assert.deepEqual(metrics('a,b\n1,2\n'), { a: [1], b: [2] });
  assert.deepEqual(metrics('b,a\n2,1\n'), { b: [2], a: [1] });
});

test('line ends of every kind, also mixed, and no last one', () => {
  for (const text of [
    'a,b\r\n1,2\r\n3,4',
    'a,b\n1,2\r\n3,4\n',
    'a,b\r1,2\r3,4\r',
    '\uFEFFa,b\n1,2\n\n3,4\n',
  ]) {
    assert.deepEqual(metrics(text), { a: [1, 3], b: [2, 4] });
  }
});

test('a column that came later leaves gaps before it', () => {
  const { samples, skipped } = csv.read('a,b\n1,\n2,\n3,7\n', {});
  assert.deepEqual(
    samples.map(({ values }) => values),
    [[1, 2, 3], [7]],
  );
  assert.deepEqual(skipped, ['row 1: "b" is empty', 'row 2: "b" is empty']);
});

test('a short row has gaps, a long one says what is not read', () => {
  const { skipped, failed } = csv.read('a,b\n1\n2,3,4\n5,6,,\n', {});
  assert.deepEqual(skipped, ['row 1: "b" is missing']);
  assert.deepEqual(failed, ['row 2 has 3 cells for 2 columns: the rest is not read']);
});

test('a column in which nothing was ever measured is all gaps', () => {
  const { samples, skipped } = csv.read('a,b\n1,nan\n2,NaN\n', {});
  assert.equal(samples.length, 1);
  assert.equal(skipped.length, 2);
});

test('Python and spreadsheet numbers are read, other bases are not', () => {
  assert.deepEqual(metrics('v\n1e3\n-.5\n+2\n3.\n 4 \n"5"\n'), { v: [1000, -0.5, 2, 3, 4, 5] });
  const { failed } = csv.read('v\n1\n2\n3\n0x10\n1_000\n"1,5"\n', {});
  assert.deepEqual(failed, [
    'row 4: "v" is "0x10", not a number',
    'row 5: "v" is "1_000", not a number',
    'row 6: "v" is "1,5", not a number',
  ]);
});

test('columns of one name become unique and a nameless one has its number', () => {
  assert.deepEqual(metrics('t,t,\n1,2,3\n'), { t: [1], 't (2)': [2], 'column 3': [3] });
  assert.deepEqual(metrics('t (3),t,t\n1,2,3\n'), { 't (3)': [1], t: [2], 't (3) (3)': [3] });
});

test('several values and names are mapped, each value a metric', () => {
  const mapping = { value: ['p50', 'p99'], name: ['suite', 'run'], unit: 'ms' };
  const { samples } = csv.read('run,suite,p50,p99,ignored\n1,web,2,4,9\n2,web,3,5,9\n', mapping);
  assert.deepEqual(
    samples.map(({ benchmark, metric, unit, values }) => [benchmark.join('/'), metric, unit, values]),
    [
      ['web/1', 'p50', 's', [0.002]],
      ['web/1', 'p99', 's', [0.004]],
      ['web/2', 'p50', 's', [0.003]],
      ['web/2', 'p99', 's', [0.005]],
    ],
  );
});

test('the unit may be the name of a column that holds it', () => {
  const { samples } = csv.read('b,t,u\nx,1,ms\ny,2,s\nx,3,us\n', { unit: 'u' });
  assert.deepEqual(
    samples.map(({ benchmark, unit, values }) => [benchmark, unit, values]),
    [
      [['x'], 's', [0.001, 3e-6]],
      [['y'], 's', [2]],
    ],
  );
});

test('every cell of a column of numbers is a value, a gap or a failure', () => {
  const cell = fc.constantFrom('1', '2.5', '-3e2', 'nan', '', 'inf', '-inf', 'None', '7');
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(rows, (cells) => {
      const { samples, failed, skipped } = csv.read(
        `a,b,c\n${cells.map((row) => row.join(',')).join('\n')}\n`,
        {},
      );
      const read = samples.reduce((sum, { values }) => sum + values.length, 0);
      assert.equal(read + failed.length + skipped.length, cells.length * 3);
      const finite = cells.flat().filter((text) => text !== '' && Number.isFinite(Number(text)));
      assert.deepEqual(
        samples.flatMap(({ values }) => values).sort((x, y) => x - y),
        finite.map(Number).sort((x, y) => x - y),
      );
    }),
  );
});

test('prose and markup are not taken for a table', () => {
  for (const text of [
    '',
    'hello',
    'Hello, world\nGoodbye, all\n',
    '<a>1,2</a>\n3,4',
    '[1,2]\n3,4',
    '1,2\n3,4\n',
  ]) {
    assert.equal(opinionOf(csv, text), 'no', text);
  }
  assert.equal(opinionOf(csv, 'name;"a;b"\nx;"1"\n'), 'maybe');
});
