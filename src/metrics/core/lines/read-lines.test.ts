import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Precision } from '../points/point-storage.ts';
import { FIELD_TYPES } from '../points/points.ts';
import { ColumnRegistry } from '../series/column-registry.ts';
import { type ReadLines, type ReadLinesOptions, readLines } from './read-lines.ts';

const NOW = { ms: 1_700_000_000_123, ns: 456_789 };
const options: ReadLinesOptions = { database: 'd', precision: 'n', receivedAt: NOW };

function read(
  text: string | Uint8Array,
  {
    registry = new ColumnRegistry(),
    ...more
  }: Partial<ReadLinesOptions> & { registry?: ColumnRegistry } = {},
) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return show(readLines(bytes, registry, { ...options, ...more }), registry);
}

function show({ rows, lines, refused, refusedLines }: ReadLines, registry: ColumnRegistry) {
  const points = Array.from({ length: rows.count }, (_, i) => {
    const { measurement, tags, field, type } = registry.at(rows.column[i] as number);
    assert.equal(FIELD_TYPES[rows.type[i] as number], type);
    const raw = rows.value[i] as number;
    const value = rows.isOther[i] === 1 ? rows.others[raw] : raw;
    const at = `${rows.timestamps.ms[i]}+${rows.timestamps.ns[i]}`;
    return { measurement, tags: Object.fromEntries(tags), field, type, value, at };
  });
  return { points, lines, refusedLines, refused };
}

const first = (text: string, more: Partial<ReadLinesOptions> = {}) => read(text, more).points[0];
const why = (text: string) => {
  const { refused, points } = read(text);
  assert.deepEqual(points, [], `${JSON.stringify(text)} must store nothing`);
  return refused.map(({ message }) => message).join('\n');
};

test('reads measurement, tags, field, value and nanoseconds', () => {
  assert.deepEqual(first('loss,job_id=7,host=a value=0.46 1700000000123456789'), {
    measurement: 'loss',
    tags: { host: 'a', job_id: '7' },
    field: 'value',
    type: 'float',
    value: 0.46,
    at: '1700000000123+456789',
  });
});

test('gives tags in any order and spelling one column', () => {
  const registry = new ColumnRegistry();
  read('m,a=1,b=2 v=1 1\nm,b=2,a=1 v=2 2\nm,b=2,a=1 v=2 3\nm,a=1,b=2 v=2 3', { registry });
  assert.equal(registry.size, 1);
  assert.deepEqual(registry.at(0).tags, [
    ['a', '1'],
    ['b', '2'],
  ]);
  assert.equal(registry.find('d', { measurement: 'm', tags: registry.at(0).tags, field: 'v' }), 0);
  assert.equal(registry.find('e', { measurement: 'm', tags: registry.at(0).tags, field: 'v' }), undefined);
});

test('reads every kind of value exactly', () => {
  const values: readonly (readonly [string, string, unknown])[] = [
    ['1', 'float', 1],
    ['-0.0', 'float', -0],
    ['1e-07', 'float', 1e-7],
    ['1e+22', 'float', 1e22],
    ['.5', 'float', 0.5],
    ['5.', 'float', 5],
    ['0.10000000149011612', 'float', 0.10000000149011612],
    ['123456789012345678', 'float', 123456789012345680],
    ['-0i', 'integer', 0],
    ['00012i', 'integer', 12],
    ['9007199254740991i', 'integer', 9007199254740991],
    ['9007199254740993i', 'integer', 9007199254740993n],
    ['-9223372036854775808i', 'integer', -9223372036854775808n],
    ['18446744073709551615u', 'unsigned', 18446744073709551615n],
    ['7u', 'unsigned', 7],
    ...['t', 'T', 'true', 'True', 'TRUE'].map((it) => [it, 'boolean', 1] as const),
    ...['f', 'F', 'false', 'False', 'FALSE'].map((it) => [it, 'boolean', 0] as const),
    ['"two\nlines"', 'string', 'two\nlines'],
    ['"say "hi""', 'string', 'say "hi"'],
    ['"a\\"b\\\\c\\d"', 'string', 'a"b\\c\\d'],
    ['"a, b=c"', 'string', 'a, b=c'],
    ['""', 'string', ''],
    ['"käse € 🌙"', 'string', 'käse € 🌙'],
  ];
  for (const [text, type, value] of values) {
    const { points, refused } = read(`m v=${text} 5\nm w=1i 6\nm v=${text} 7`);
    assert.deepEqual(refused, [], text);
    assert.equal(points.length, 3, text);
    for (const point of [points[0], points[2]]) {
      assert.equal(point?.type, type, text);
      assert.ok(Object.is(point?.value, value), `${text}: ${String(point?.value)}`);
    }
  }
});

test('takes names without their escapes', () => {
  const point = first('a\\,b\\ c\\=d,t\\,\\ \\=k=v\\ \\=\\,w f\\,\\ \\=\\"g=1 1');
  assert.deepEqual(
    [point?.measurement, point?.tags, point?.field],
    ['a,b c=d', { 't, =k': 'v =,w' }, 'f, ="g'],
  );
  assert.equal(first('m\\x,k=\\y v=1')?.measurement, 'm\\x');
});

test('knows the units of time, and gives lines without one the moment they came', () => {
  const at = (precision: Precision, time: string) => first(`m v=1${time}`, { precision })?.at;
  assert.equal(at('n', ' 1'), '0+1');
  assert.equal(at('n', ' -1'), '-1+999999');
  assert.equal(at('n', ' 9223372036854775806'), '9223372036854+775806');
  assert.equal(at('u', ' 1700000000123456'), '1700000000123+456000');
  assert.equal(at('ms', ' 1700000000123'), '1700000000123+0');
  assert.equal(at('s', ' 1700000000'), '1700000000000+0');
  assert.equal(at('m', ' 2'), '120000+0');
  assert.equal(at('h', ' 2'), '7200000+0');
  assert.equal(at('n', ''), '1700000000123+456789');
  assert.equal(at('u', ''), '1700000000123+456000');
  assert.equal(at('ms', ''), '1700000000123+0');
  assert.equal(at('s', ' '), '1700000000000+0');
  assert.equal(at('h', ''), '1699999200000+0');
});

test('passes over comments and blank lines', () => {
  const { points, lines } = read('# m v=1\n\n   \n\t# x\n  m v=1 1\n');
  assert.equal(lines, 1);
  assert.equal(points.length, 1);
});

test('refuses in the words of InfluxDB', () => {
  const words: Record<string, string> = {
    m: 'missing fields',
    ',a=1 v=1': 'missing measurement',
    'm,a v=1': 'missing tag value',
    'm,a= v=1': 'missing tag value',
    'm,=1 v=1': 'missing tag key',
    'm,a=1, v=1': 'missing tag key',
    'm,a=1': 'missing fields',
    'm,a=1,a=2 v=1': 'duplicate tags',
    'm,a=x=y v=1': 'invalid tag format',
    'm,k=v\\ value=1i': 'invalid tag format',
    'm a': 'invalid field format',
    'm ': 'invalid field format',
    'm a=1,b': 'invalid field format',
    'm v=1,': 'invalid field format',
    'm v=1,,w=2': 'invalid field format',
    'm =1': 'missing field key',
    'm v=1,=2': 'missing field key',
    'm v= 1': 'missing field value',
    'm v=': 'missing field value',
    'm v==1': 'invalid boolean',
    'm v=nan': 'invalid number',
    'm v=-inf': 'invalid number',
    'm v=inf': 'invalid boolean',
    'm v=+1': 'invalid boolean',
    'm v=[1, 2]': 'invalid boolean',
    'm v=TrUe': 'invalid boolean',
    'm v=-': 'invalid number',
    'm v=1.2.3': 'invalid number',
    'm v=1i1': 'invalid number',
    'm v=1.5i': 'invalid number',
    'm v=0x10': 'invalid number',
    'm v=1\t12': 'invalid number',
    'm v=1\r': 'invalid number',
    'm v=1e400': 'invalid float',
    'm v=1e': 'invalid float',
    'm v=99999999999999999999i':
      'unable to parse integer 99999999999999999999: strconv.ParseInt: parsing "99999999999999999999": value out of range',
    'm v="a': 'unbalanced quotes',
    'm v=1 1.5': 'bad timestamp',
    'm v=1 12\r': 'bad timestamp',
    'm v=1 12 x': 'point is invalid',
    'm v=1 -': 'strconv.ParseInt: parsing "-": invalid syntax',
    'm v=1 9223372036854775807': 'time outside range -9223372036854775806 - 9223372036854775806',
    'm v=1 99999999999999999999': 'strconv.ParseInt: parsing "99999999999999999999": value out of range',
    'm time=1': 'invalid field name: input field "time" on measurement "m" is invalid',
    'm,time=x v=1': 'invalid tag key: input tag "time" on measurement "m" is invalid',
  };
  for (const [line, message] of Object.entries(words)) assert.equal(why(line), message, JSON.stringify(line));
  assert.match(why(`${'k'.repeat(66_000)} v=1`), /^max key length exceeded: 66000 > 65535$/);
});

test('keeps the good lines beside a bad one, and reports the bad one', () => {
  const { points, refused, lines, refusedLines } = read('m v=1 1\nm v=x 2\nm v=3 3');
  assert.deepEqual([points.map(({ value }) => value), lines, refusedLines], [[1, 3], 3, 1]);
  assert.deepEqual(refused, [{ line: 'm v=x 2', reason: 'syntax', message: 'invalid boolean' }]);
});

test('refuses the whole point when a field has another type than before, in any series', () => {
  const registry = new ColumnRegistry();
  const { points, refused } = read('m,a=1 v=1i 1\nm,a=2 w=2,v=2 2\nn v=2 3', { registry });
  assert.deepEqual(
    points.map(({ measurement }) => measurement),
    ['m', 'n'],
  );
  assert.equal(
    refused[0]?.message,
    'field type conflict: input field "v" on measurement "m" is type float, already exists as type integer',
  );
  assert.equal(registry.size, 2);
  assert.equal(read('m v="s"', { registry, database: 'other' }).refusedLines, 0);
  registry.remove([0]);
  assert.equal(read('m,a=1 v=1.5 4', { registry }).points[0]?.value, 1.5);
});

test('leaves out a field called time', () => {
  assert.deepEqual(
    read('m time=1,v=2 1').points.map(({ field }) => field),
    ['v'],
  );
});

test('keeps nan and inf when asked', () => {
  const { points } = read('m a=nan,b=inf,c=-inf,d=NaN,e=1 5', { keepsNotFinite: true });
  assert.deepEqual(
    points.map(({ value }) => value),
    [Number.NaN, Infinity, -Infinity, Number.NaN, 1],
  );
  assert.equal(read('m a=nan').refused[0]?.reason, 'not-finite');
});

test('reports the columns it made once, and gives their numbers on', () => {
  const registry = new ColumnRegistry();
  registry.add({ database: 'd', number: 5, measurement: 'm', tags: [], field: 'v', type: 'float' });
  read('m v=1,w=2 1\nm v=1,w=2 2', { registry });
  assert.deepEqual(
    registry.takeNew().map(({ number, field }) => [number, field]),
    [[6, 'w']],
  );
  assert.deepEqual(registry.takeNew(), []);
  assert.deepEqual(
    registry.columns('d').map(({ number }) => number),
    [5, 6],
  );
});

test('takes bytes that are no UTF-8, long points and many refusals without harm', () => {
  const bytes = Uint8Array.of(0xff, 0x6d, 0x20, 0x76, 0x3d, 0x31);
  assert.equal(read(bytes).points[0]?.measurement, '\ufffdm');
  const wide = `m ${Array.from({ length: 5000 }, (_, i) => `f${i}=${i}i`).join()} 1`;
  const { points } = read(`${wide}\n${wide}`);
  assert.equal(points.length, 10_000);
  assert.equal(points[9999]?.value, 4999);
  const { refused, refusedLines } = read('x\n'.repeat(5000));
  assert.deepEqual([refused.length, refusedLines], [100, 5000]);
  assert.equal(read(new Uint8Array(0)).lines, 0);
});
