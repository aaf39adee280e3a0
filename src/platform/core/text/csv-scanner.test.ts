import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CsvScanner, wholeNumber } from './csv-scanner.ts';
import { decodeUtf8 } from './utf8.ts';

interface Found {
  readonly cells: readonly string[];
  readonly line: number;
  readonly isBroken: boolean;
}

/** The records of a text that arrives in pieces of so many bytes. */
function scan(text: string, pieceBytes: number): readonly Found[] {
  const found: Found[] = [];
  const scanner = new CsvScanner(({ bytes, starts, ends, count, line, isBroken }) => {
    const cells = Array.from({ length: count }, (_, cell) =>
      decodeUtf8(bytes, starts[cell] ?? 0, ends[cell] ?? 0).replaceAll('""', '"'),
    );
    found.push({ cells, line, isBroken });
  });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) scanner.push(bytes.subarray(at, at + pieceBytes));
  scanner.finish();
  return found;
}

test('records are those that csv-parse finds, wherever the text is cut', () => {
  const cell = fc.constantFrom(
    'a',
    '12',
    'x y',
    '"q"',
    '"a,b"',
    '"two\nlines"',
    '"say ""hi"""',
    'é',
    '"日本"',
    '',
  );
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
  const ends = fc.constantFrom('\n', '\r\n');
  fc.assert(
    fc.property(
      rows,
      ends,
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (table, end, pieceBytes, isClosed) => {
        const text = `${table.map((row) => row.join(',')).join(end)}${isClosed ? end : ''}`;
        const expected = parse(text, { relax_column_count: true, record_delimiter: ['\r\n', '\n'] });
        const found = scan(text, pieceBytes);
        assert.deepEqual(
          found.map(({ cells }) => cells),
          expected,
        );
        assert.ok(found.every(({ isBroken }) => !isBroken));
      },
    ),
    { numRuns: 1_000, seed: 5 },
  );
});

test('a record knows its line, also below cells of several lines and blank lines', () => {
  const found = scan('\uFEFFa,b\n\n"x\ny\nz",1\r\nc,d\n', 4);
  assert.deepEqual(
    found.map(({ cells, line }) => [cells[0], line]),
    [
      ['a', 1],
      ['x\ny\nz', 3],
      ['c', 6],
    ],
  );
});

test('a quote that closes too early costs its own record, one that never closes all the rest', () => {
  const found = scan('a,b\n"1"x,2\n3,4\n"5,6\n7,8\n', 5);
  assert.deepEqual(
    found.map(({ cells, isBroken }) => [cells[0], isBroken]),
    [
      ['a', false],
      ['1', true],
      ['3', false],
      ['5,6\n7,8\n', true],
    ],
  );
});

test('more cells than were expected are all found', () => {
  const cells = Array.from({ length: 1000 }, (_, index) => String(index));
  assert.deepEqual(scan(`${cells.join(',')}\n`, 100)[0]?.cells, cells);
});

test('whole numbers are read, also with the zeros of pandas; others are none', () => {
  const read = (text: string) => wholeNumber(new TextEncoder().encode(text), 0, text.length);
  assert.deepEqual(
    ['0', '42', '250000000.0', '7.', '999999999999999'].map(read),
    [0, 42, 250000000, 7, 999999999999999],
  );
  for (const text of ['', '-1', '1.5', '.0', '1e3', 'x', '1 ', '1000000000000000'])
    assert.ok(Number.isNaN(read(text)), text);
});
