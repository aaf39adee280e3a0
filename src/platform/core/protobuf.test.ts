import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { floatOf, ProtobufWriter, wireFields } from './protobuf.ts';

const field = fc.integer({ min: 1, max: 536_870_911 });

test('what is written is read back', () => {
  const written = fc.oneof(
    fc.record({ kind: fc.constant('bytes' as const), number: field, value: fc.uint8Array() }),
    fc.record({ kind: fc.constant('double' as const), number: field, value: fc.double() }),
    fc.record({ kind: fc.constant('int64' as const), number: field, value: fc.maxSafeInteger() }),
  );
  fc.assert(
    fc.property(fc.array(written), (fields) => {
      const writer = new ProtobufWriter();
      for (const each of fields) {
        if (each.kind === 'bytes') writer.bytes(each.number, each.value);
        else if (each.kind === 'double') writer.double(each.number, each.value);
        else writer.int64(each.number, each.value);
      }
      const read = Array.from(wireFields(writer.take()), ({ number, integer, bytes }, index) => {
        const kind = fields[index]?.kind;
        if (kind === 'bytes') return { kind, number, value: Uint8Array.from(bytes) };
        return { kind, number, value: kind === 'double' ? floatOf(bytes) : Number(integer) };
      });
      assert.deepEqual(
        read,
        fields.map((each) => ({ ...each })),
      );
    }),
  );
});

test('bytes that end too early are no message', () => {
  const writer = new ProtobufWriter();
  writer.bytes(1, 'text');
  assert.throws(() => [...wireFields(writer.take().subarray(0, -1))], RangeError);
  assert.throws(() => [...wireFields(Uint8Array.of(8, 255))], RangeError);
  assert.throws(() => [...wireFields(Uint8Array.of(15))], /unknown type 7/);
});
