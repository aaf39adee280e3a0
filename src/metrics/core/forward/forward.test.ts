import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countLines, decodeRecord, encodeRecord } from '../../app/forward-points.ts';
import { readLines } from '../lines/read-lines.ts';
import { ColumnRegistry } from '../series/column-registry.ts';
import { formatRows } from './format-rows.ts';
import { remoteSamples, snappyBlock, writeRequest } from './remote-write.ts';
import { fieldFilter, joinRows, selectRows, sliceRows } from './select-rows.ts';

const registry = new ColumnRegistry();
const keyOf = (column: number) => registry.at(column);
function rowsOf(text: string) {
  const options = {
    database: 'd',
    precision: 'n',
    receivedAt: { ms: 1, ns: 0 },
    keepsNotFinite: true,
  } as const;
  const { rows, refused } = readLines(Buffer.from(text), registry, options);
  assert.deepEqual(refused, []);
  return rows;
}

test('lines that are written read as the same rows', () => {
  const text =
    'a\\,b\\ c,k\\==v\\ \\,\\=,z=\\  f\\ =1.5,g=-9223372036854775808i,h=t,s="x\\"y\\\\z = ,\n2" -1\n' +
    'a\\,b\\ c,k\\==v\\ \\,\\=,z=\\  f\\ =1e+21 9223372036854775806\nq v=-0.1 0\n';
  const rows = rowsOf(text);
  const once = formatRows(rows, keyOf);
  assert.deepEqual(rowsOf(once.text), rows);
  assert.deepEqual([once.lines, once.values, once.notFinite], [3, 6, 0]);
});

test('nan and inf are left out, their neighbours are not', () => {
  const { text, values, notFinite } = formatRows(rowsOf('n a=nan,b=1 5\nn a=inf 6\n'), keyOf);
  assert.deepEqual([text, values, notFinite], ['n b=1 5\n', 1, 2]);
});

test('rows of several writes are one, and a part of them is a part', () => {
  const all = joinRows([rowsOf('j s="one",v=1 1\n'), rowsOf('j s="two" 2\nj s="three" 3\n')]);
  assert.equal(formatRows(all, keyOf).text, 'j s="one",v=1 1\nj s="two" 2\nj s="three" 3\n');
  assert.equal(formatRows(sliceRows(all, 2, 99), keyOf).text, 'j s="two" 2\nj s="three" 3\n');
});

test('rules choose by measurement and tags; signs of patterns are themselves', () => {
  const rows = rowsOf('loss,job=a v=1 1\nlo.s v=2 1\nLoss,job=a v=3 1\n');
  const chosen = (rule: Parameters<typeof fieldFilter>[0]) => {
    const isWanted = fieldFilter(rule);
    return formatRows(
      selectRows(rows, (column) => isWanted(keyOf(column))),
      keyOf,
    ).text;
  };
  assert.equal(chosen({ measurements: ['lo.s'] }), 'lo.s v=2 1\n');
  assert.equal(
    chosen({ measurements: ['*oss'], tags: { job: ['*'] } }),
    'loss,job=a v=1 1\nLoss,job=a v=3 1\n',
  );
  assert.equal(chosen({ tags: { job: ['b', 'c*'] } }), '');
});

test('a record goes to bytes and back', () => {
  const body = Uint8Array.from([10, 255, 0, 10]);
  const record = {
    database: 'ü\n',
    kind: 'lines',
    precision: 'ms',
    receivedAt: { ms: 5, ns: 6 },
    body,
  } as const;
  assert.deepEqual(decodeRecord(encodeRecord(record)), record);
  assert.deepEqual(
    [countLines(body), countLines(Buffer.from('a\nb')), countLines(new Uint8Array(0))],
    [2, 2, 0],
  );
});

test('a WriteRequest has the bytes of the wire format', () => {
  const { samples, labels } = remoteSamples(rowsOf('m,t=x f=1 2000000\n'), keyOf);
  const label = (name: string, value: string) =>
    Buffer.concat([
      Buffer.from([10, name.length]),
      Buffer.from(name),
      Buffer.from([18, value.length]),
      Buffer.from(value),
    ]);
  const parts = [label('__name__', 'm_f'), label('t', 'x')].flatMap((one) => [
    Buffer.from([10, one.length]),
    one,
  ]);
  const sample = Buffer.from([18, 11, 9, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 16, 2]);
  const series = Buffer.concat([...parts, sample]);
  assert.deepEqual(
    Buffer.from(writeRequest(samples, labels)),
    Buffer.concat([Buffer.from([10, series.length]), series]),
  );
});

test('of values in one millisecond the last goes, texts are counted', () => {
  const found = remoteSamples(rowsOf('w f=1 1000001\nw f=2 1000002\nw s="x" 1\nw f=0 1\n'), keyOf);
  assert.deepEqual(
    found.samples.map(({ ms, value }) => [ms, value]),
    [
      [0, 0],
      [1, 2],
    ],
  );
  assert.deepEqual([found.notNumbers, found.sameMoment], [1, 1]);
});

test('snappy: length, then literals of at most 65,536 bytes', () => {
  assert.deepEqual([...snappyBlock(new Uint8Array(0))], [0]);
  assert.deepEqual([...snappyBlock(Uint8Array.from([7, 8]))], [2, 244, 1, 0, 7, 8]);
  const large = snappyBlock(new Uint8Array(70_000));
  assert.deepEqual([...large.subarray(0, 6)], [0xf0, 0xa2, 0x04, 244, 255, 255]);
  assert.equal(large.length, 3 + 3 + 65_536 + 3 + 4464);
});
