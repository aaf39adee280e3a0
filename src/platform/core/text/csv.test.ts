import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvCell, parseCsv, readCsv } from './csv.ts';

test('records are those that csv-parse finds', () => {
  const cell = fc.oneof(
    fc.constantFrom('', 'a', '12', 'x y', '"q"', '"a,b"', '"two\nlines"', '"say ""hi"""', '""'),
    fc.string({ maxLength: 5 }),
  );
  const lines = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
  const ends = fc.constantFrom('\n', '\r\n', '\r');
  const separators = fc.constantFrom(',' as const, ';' as const, '\t' as const);
  fc.assert(
    fc.property(lines, ends, separators, fc.boolean(), (rows, end, separator, isClosed) => {
      const text = `${rows.map((row) => row.join(separator)).join(end)}${isClosed ? end : ''}`;
      const found = readCsv(text, separator);
      assert.deepEqual('records' in found ? found.records : undefined, peer(text, separator));
    }),
    { numRuns: 2_000, seed: 3 },
  );
});

test('what is written is read back', () => {
  const cells = fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), { minLength: 1 });
  fc.assert(
    fc.property(cells, (rows) => {
      const text = rows.map((row) => `${row.map(csvCell).join(',')}\n`).join('');
      assert.deepEqual(parseCsv(`\uFEFF${text}`), rows);
    }),
  );
});

test('quotes that do not close, or close too early, are not guessed at', () => {
  assert.equal(parseCsv('a,b\n"1,2\n'), undefined);
  assert.equal(parseCsv('a,b\n"1"x,2\n'), undefined);
  assert.equal(parseCsv('a,b\n1"x,2\n'), undefined);
  assert.deepEqual(readCsv('a;b\r\n"1\n2";3\r\n"4"x;5\r\n', ';'), { brokenLine: 4 });
});

test('line ends of every kind, blank lines, a byte order mark, a comma at the end', () => {
  const rows = [
    ['a', 'b'],
    ['1', ''],
  ];
  for (const text of ['a,b\n1,', 'a,b\r\n\r\n1,\r\n', '\uFEFFa,b\r1,\r', '\n"a",b\n1,\n', '"a",b\n1,']) {
    assert.deepEqual(parseCsv(text), rows, JSON.stringify(text));
  }
});

function peer(text: string, delimiter: string): string[][] | undefined {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    });
  } catch {
    return undefined;
  }
}
