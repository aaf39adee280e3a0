import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeWire,
  encodeWireHeader,
  encodeWireSeries,
  WIRE_COLUMNS,
  type WireHeader,
  type WireKind,
  type WireSeries,
} from './columns-wire.ts';

const join = (header: WireHeader, series: readonly WireSeries[]) =>
  new Uint8Array(Buffer.concat([encodeWireHeader(header), ...series.map(encodeWireSeries)]));

const text = fc.string({ unit: 'binary', maxLength: 12 });
const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -Infinity, -0));
const seriesOf = (kind: WireKind) =>
  fc.integer({ min: 0, max: 20 }).chain((rows) =>
    fc.record(
      {
        measurement: text,
        tags: fc.dictionary(
          text.filter((key) => key !== '__proto__'),
          text,
          { noNullPrototype: true },
        ),
        field: text,
        type: fc.constantFrom('float' as const, 'integer' as const, 'boolean' as const),
        columns: fc.tuple(
          ...WIRE_COLUMNS[kind].map(() =>
            fc.array(number, { minLength: rows, maxLength: rows }).map((values) => Float64Array.from(values)),
          ),
        ),
      },
      { noNullPrototype: true },
    ),
  );
const answers = fc
  .constantFrom<WireKind>('buckets', 'points')
  .chain((kind) =>
    fc
      .array(seriesOf(kind), { maxLength: 4 })
      .chain((series) =>
        fc
          .record(
            { fromMs: fc.double(), toMs: fc.double(), buckets: fc.nat(10_000) },
            { noNullPrototype: true },
          )
          .map((range) => ({ header: { kind, series: series.length, ...range }, series })),
      ),
  );

test('any series come back as they were', () => {
  fc.assert(
    fc.property(answers, ({ header, series }) => {
      assert.deepEqual(decodeWire(join(header, series)), { header, series });
    }),
    { seed: 6 },
  );
});

test('every answer that is cut short is reported', () => {
  fc.assert(
    fc.property(answers, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (answer, part) => {
      const bytes = join(answer.header, answer.series);
      const cut = bytes.subarray(0, Math.floor(bytes.length * part));
      assert.throws(() => decodeWire(cut), { code: 'POINTS_WIRE' });
    }),
    { seed: 6 },
  );
});

test('the bytes are those of the reference, and columns begin at multiples of eight', () => {
  const name = { measurement: 'é', tags: { a: 'b' }, field: 'v', type: 'float' as const };
  const columns = [Float64Array.of(1000), Float64Array.of(-2.5)];
  const bytes = join({ kind: 'points', series: 1, fromMs: 0, toMs: 5000, buckets: 0 }, [
    { ...name, columns },
  ]);
  const hex = Buffer.from(bytes).toString('hex');
  assert.equal(hex.slice(0, 32), '4e4d504301000100'.concat('01000000', '02000000'));
  assert.equal(hex.slice(32, 80), '0000000000000000'.concat('000000000088b340', '0000000000000000'));
  const nameBytes = Buffer.from(bytes).readUInt32LE(40);
  assert.equal(nameBytes % 8, 0);
  const json = Buffer.from(bytes.subarray(48, 48 + nameBytes)).toString('ascii');
  assert.equal(json.trimEnd(), '{"measurement":"\\u00e9","tags":{"a":"b"},"field":"v","type":"float"}');
  assert.equal(hex.slice(2 * (48 + nameBytes)), '0000000000408f40'.concat('00000000000004c0'));
});

test('what is something else, or of another version, is reported', () => {
  const good = encodeWireHeader({ kind: 'points', series: 0, fromMs: 0, toMs: 1, buckets: 0 });
  const changed = (at: number, value: number) =>
    Uint8Array.from(good, (byte, i) => (i === at ? value : byte));
  assert.throws(() => decodeWire(changed(0, 0)), /does not begin with NMPC/);
  assert.throws(() => decodeWire(changed(4, 2)), /its version is 2, not 1/);
  assert.throws(() => decodeWire(changed(6, 9)), /its kind is unknown/);
  assert.throws(() => decodeWire(new Uint8Array([...good, 0])), /something follows its end/);
});
