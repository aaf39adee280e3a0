import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColumnRegistry } from '../series/column-registry.ts';
import { LineStamper } from './line-stamper.ts';
import { type ReadLinesOptions, readLines } from './read-lines.ts';

const options: ReadLinesOptions = { database: 'd', precision: 'n', receivedAt: { ms: 5, ns: 6 } };
const HEADS = ['m', 'm,a=1', 'm,a=1,b=2', 'm,b=2,a=1', 'm,a=12', 'mm', 'm,a=\\ 1', 'm,a=', ' m', '#m'];
const KEYS = ['v', 'vv', 'w', 'time', 'v\\ ', 'v=', 's', ''];
const VALUES = ['1', '-0', '1.25', '7i', '9007199254740993i', '1e3', '"x"', '"a,b c"', 't', 'False', ''];
const TIMES = [
  '',
  ' 1700000000123456789',
  ' 1700000000123456780',
  ' 9',
  ' -5',
  ' 9223372036854775807',
  ' 1x',
];

function told(lines: readonly string[], registry: ColumnRegistry) {
  const bytes = new TextEncoder().encode(lines.join('\n'));
  const { rows, lines: count, refused } = readLines(bytes, registry, options);
  const shown = Array.from({ length: rows.count }, (_, i) => {
    const raw = rows.value[i] as number;
    const { measurement, tags, field } = registry.at(rows.column[i] as number);
    const at = [rows.timestamps.ms[i], rows.timestamps.ns[i]];
    return { measurement, tags, field, at, value: rows.isOther[i] === 1 ? rows.others[raw] : raw };
  });
  return { rows: shown, count, refused };
}

test('lines that are expected are read as lines that are not', () => {
  let state = 7;
  const pick = (list: readonly string[]) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)] as string;
  };
  let taken = 0;
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: 6 }, () => {
      const fields = Array.from({ length: Number(pick(['1', '1', '2', '3'])) }, () => {
        // Mostly numbers: a field keeps its type.
        const value = pick(['0', '1']) === '0' ? pick(VALUES) : pick(['1', '2.5', '-3']);
        return `${pick(KEYS)}=${value}`;
      });
      return `${pick(HEADS)} ${fields.join(',')}${pick(TIMES)}`;
    });
    const registry = new ColumnRegistry();
    told(lines, registry);
    // Each alone, and with another between, so that no guess comes true.
    const alone = lines.map((line) => {
      told(['other x=1 1'], registry);
      return told([line], registry);
    });
    told(lines, registry);
    const again = told(lines, registry);
    assert.deepEqual(
      again.rows,
      alone.flatMap(({ rows }) => rows),
      lines.join('\n'),
    );
    assert.deepEqual(
      again.refused,
      alone.flatMap(({ refused }) => refused),
    );
    taken += again.rows.length;
  }
  assert.ok(taken > 300, `${taken} values`);
});

test('a time is read anew for each line and each body', () => {
  const registry = new ColumnRegistry();
  const times = [
    '1',
    '1',
    '2',
    '22',
    '2',
    '1700000000123456789',
    '1700000000123456789',
    '1700000000123456780',
  ];
  const at = (list: readonly string[]) =>
    told(
      list.map((time) => `m v=1 ${time}`),
      registry,
    ).rows.map((row) => row.at);
  const expected = times.map((time) => [
    Math.floor(Number(BigInt(time) / 1_000_000n)),
    Number(BigInt(time) % 1_000_000n),
  ]);
  assert.deepEqual(at(times), expected);
  assert.deepEqual(at(['3', ...times]), [[0, 3], ...expected]);
});

test('a time beyond the last moment is refused in a packet that looks like the one before', () => {
  const stamper = new LineStamper({ keepsNotFinite: false, isStrict: false });
  const packet = (time: string) => new TextEncoder().encode(`m v=1 ${time}\n`);
  assert.equal(stamper.take(packet('1700000000123456789'), { ms: 1, ns: 2 }), undefined);
  const refused = stamper.take(packet('9999999999999999999'), { ms: 1, ns: 2 });
  assert.equal(refused?.refusedLines, 1);
});

test('columns that were removed are not met again', () => {
  const registry = new ColumnRegistry();
  const lines = ['m,a=1 v=1 1', 'm,a=2 v=1 1'];
  for (let i = 0; i < 3; i++) told(lines, registry);
  registry.remove([0]);
  const { rows } = readLines(new TextEncoder().encode(lines.join('\n')), registry, options);
  assert.deepEqual([...rows.column], [2, 1]);
});
