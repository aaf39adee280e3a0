import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ColumnValues, FieldType } from '../points/points.ts';
import { decodeColumn, decodeColumns, encodeColumn, readSummary } from './column-codec.ts';

const T0 = 1_700_000_000_000;
const steady = (count: number, stepMs = 1000) => ({
  ms: Float64Array.from({ length: count }, (_, i) => T0 + i * stepMs),
  ns: new Int32Array(count),
});
const floats = (values: readonly number[], timestamps = steady(values.length)): ColumnValues => ({
  type: 'float',
  timestamps,
  numbers: Float64Array.from(values),
});
const roundTrip = (values: ColumnValues) => {
  const bytes = encodeColumn(values);
  assert.deepEqual(decodeColumn(bytes), values);
  // As a driver gives it: a Node buffer somewhere in a larger memory.
  const stored = Buffer.concat([Buffer.of(7, 7, 7), bytes, Buffer.of(7)]).subarray(3, 3 + bytes.length);
  assert.deepEqual(decodeColumn(stored), values);
  assert.deepEqual(encodeColumn(values), bytes);
  return bytes.length;
};

/** Anything between 1677 and 2262, as InfluxDB, in the order of time. */
const momentsOf = (length: number) =>
  fc
    .tuple(
      fc.array(
        fc.oneof(
          fc.integer({ min: -9_223_372_036_854, max: 9_223_372_036_854 }),
          fc.integer({ min: T0, max: T0 + 5000 }),
        ),
        { minLength: length, maxLength: length },
      ),
      fc.array(
        fc.oneof(
          fc.constant(0),
          fc.integer({ min: 0, max: 999 }).map((us) => us * 1000),
          fc.integer({ min: 0, max: 999_999 }),
        ),
        {
          minLength: length,
          maxLength: length,
        },
      ),
    )
    .map(([ms, ns]) => ({ ms: Float64Array.from(ms).sort(), ns: Int32Array.from(ns) }));
const lengths = fc.oneof(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 120, max: 400 }));
const columnOf = <T>(value: fc.Arbitrary<T>, make: (values: T[]) => Omit<ColumnValues, 'timestamps'>) =>
  lengths.chain((length) =>
    fc
      .tuple(fc.array(value, { minLength: length, maxLength: length }), momentsOf(length))
      .map(([values, timestamps]): ColumnValues => {
        const { type, ...rest } = make(values);
        return { type, timestamps, ...rest };
      }),
  );
const numbers = (type: FieldType) => (values: number[]) => ({ type, numbers: Float64Array.from(values) });

test('any floats come back to the bit', () => {
  const values = fc.oneof(
    fc.double(),
    fc.constantFrom(
      0,
      -0,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      5e-324,
      1.7976931348623157e308,
    ),
    fc.integer({ min: -100_000, max: 100_000 }).map((value) => value / 100),
    fc.float(),
    fc.constantFrom(0.1, 1.5),
  );
  fc.assert(
    fc.property(columnOf(values, numbers('float')), (column) => void roundTrip(column)),
    { numRuns: 300 },
  );
});

test('floats of one kind each come back to the bit', () => {
  for (const values of [
    fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => value / 1000),
    fc.maxSafeInteger(),
    fc.constantFrom(1 / 3, 2 / 3),
    fc.constantFrom(0, -0),
    fc.constantFrom(0, 0, 0, 0, 0, 0, 1e-9, Number.NaN),
    fc.float({ noNaN: true }),
    fc.double({ min: 20, max: 30 }),
  ]) {
    fc.assert(
      fc.property(columnOf(values, numbers('float')), (column) => void roundTrip(column)),
      { numRuns: 60 },
    );
  }
});

test('integers, unsigned ones, booleans and texts come back exactly', () => {
  const integers = columnOf(fc.maxSafeInteger(), numbers('integer'));
  const booleans = columnOf(fc.boolean(), (values) => numbers('boolean')(values.map(Number)));
  const large = columnOf(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (values) => ({
    type: 'integer',
    numbers: Float64Array.from(values, Number),
    bigints: BigInt64Array.from(values),
  }));
  const unsigned = columnOf(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (values) => ({
    type: 'unsigned',
    numbers: Float64Array.from(values, Number),
    bigints: BigUint64Array.from(values),
  }));
  const texts = columnOf(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'a', '\0', '\ud800', 'ÿ')),
    (strings) => ({ type: 'string', strings }),
  );
  for (const column of [integers, booleans, large, unsigned, texts]) {
    fc.assert(
      fc.property(column, (values) => void roundTrip(values)),
      { numRuns: 100 },
    );
  }
});

test('the beginning of a block reports range, last value and how many numbers there are', () => {
  const bytes = encodeColumn(floats([3, Number.NaN, -7.5, 4]));
  assert.deepEqual(readSummary(bytes), {
    type: 'float',
    count: 4,
    range: { min: -7.5, max: 4, last: 4, numbers: 3 },
  });
  assert.deepEqual(
    readSummary(encodeColumn({ type: 'string', timestamps: steady(2), strings: ['a', 'b'] })),
    {
      type: 'string',
      count: 2,
    },
  );
});

test('steady times and equal values take next to nothing, however many they are', () => {
  assert.ok(roundTrip(floats(new Array(4000).fill(21.5))) < 70);
  assert.ok(roundTrip(floats(new Array(4000).fill(21.5), steady(4000, 10))) < 70);
});

test('a walk with two decimals takes about a byte a value, a bit for a boolean', () => {
  let level = 50;
  const walk = Array.from({ length: 2000 }, (_, i) => {
    level += ((i * 7919) % 201) / 100 - 1;
    return Math.round(level * 100) / 100;
  });
  assert.ok(roundTrip(floats(walk)) < 2000 * 1.15);
  const bits: ColumnValues = {
    type: 'boolean',
    timestamps: steady(2000),
    numbers: Float64Array.from({ length: 2000 }, (_, i) => ((i * 7919) % 13) & 1),
  };
  assert.ok(roundTrip(bits) < 2000 / 8 + 200);
});

test('random doubles take no more than eight bytes, and rare changes next to nothing', () => {
  const random = Array.from({ length: 1000 }, (_, i) => Math.sin(i * 12.9898) * 43758.5453);
  assert.ok(roundTrip(floats(random)) < 8 * 1000 + 64);
  const held = Array.from({ length: 1000 }, (_, i) => Math.sin(Math.floor(i / 100)));
  assert.ok(roundTrip(floats(held)) < 200);
});

test('damaged bytes are refused or read as something, and never hang or take all memory', () => {
  const bytes = encodeColumn(floats(Array.from({ length: 300 }, (_, i) => i * 1.25)));
  fc.assert(
    fc.property(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 0, max: 255 }),
      fc.nat(bytes.length),
      (at, value, end) => {
        const broken = bytes.slice(0, end);
        if (at < broken.length) broken[at] = value;
        try {
          assert.ok(decodeColumn(broken).timestamps.ms.length >= 0);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'POINTS_BLOCK_DAMAGED', String(error));
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('several blocks are decoded into one column', () => {
  const parts = [
    floats([1.5, 2.25, -3], steady(3)),
    floats([7, 7, 7, 7], {
      ms: Float64Array.of(1, 2, 3, 5).map((ms) => T0 + 1e6 + ms),
      ns: Int32Array.of(1, 20, 0, 999_999),
    }),
    floats([Number.NaN, 1 / 3], { ms: Float64Array.of(T0 + 2e6, T0 + 3e6), ns: new Int32Array(2) }),
  ];
  const joined = decodeColumns(parts.map(encodeColumn));
  assert.deepEqual(joined, {
    type: 'float',
    timestamps: {
      ms: Float64Array.from(parts.flatMap(({ timestamps }) => [...timestamps.ms])),
      ns: Int32Array.from(parts.flatMap(({ timestamps }) => [...timestamps.ns])),
    },
    numbers: Float64Array.from(parts.flatMap(({ numbers }) => [...(numbers ?? [])])),
  });
});

test('texts and large integers are not decoded into one column of numbers', () => {
  const texts: ColumnValues = { type: 'string', timestamps: steady(1), strings: ['a'] };
  const bigints = BigInt64Array.of(2n ** 60n);
  const large: ColumnValues = {
    type: 'integer',
    timestamps: steady(1),
    numbers: Float64Array.of(2 ** 60),
    bigints,
  };
  assert.equal(decodeColumns([encodeColumn(texts)]), undefined);
  assert.equal(decodeColumns([encodeColumn(floats([1])), encodeColumn(large)]), undefined);
  assert.equal(decodeColumns([]), undefined);
});
