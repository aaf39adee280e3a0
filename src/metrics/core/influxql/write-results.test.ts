import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areUsualTimes, RowWriter } from './write-results.ts';

test('numbers and times are written as JavaScript writes them', () => {
  const values = [
    0,
    -0,
    1,
    -1,
    0.1,
    0.001,
    0.0015,
    1e-7,
    1.005,
    0.1 + 0.2,
    99.95,
    -12.34,
    1_999_999.999,
    2e6,
  ];
  values.push(2_000_000.001, 123_456.789, 1e21, 5e-324, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY);
  for (let i = 0; i < 20_000; i++) {
    values.push(((i * 7919) % 10_007) / 100, (i - 9_000) / 1000, Math.sin(i) * 10 ** (i % 12), i / 3);
  }
  const numbers = Float64Array.from(values);
  const ms = Float64Array.from(values, (_, i) => 1e12 + i * 99_999_993);
  const ns = Int32Array.from(values, (_, i) => (i * 7919) % 1_000_000);
  const expected = values.map((value, i) => {
    const time = BigInt(ms[i] as number) * 1_000_000n + BigInt(ns[i] as number);
    const text = Number.isFinite(value) ? (Object.is(value, -0) ? '-0' : String(value)) : 'null';
    return `[${time},${text},${text}]`;
  });
  const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
  const text = new RowWriter();
  assert.equal(
    text.write({ ms, ns }, [numbers, numbers], { from: 0, to: values.length, textOf }),
    expected.join(),
  );
  assert.equal(
    text.write({ ms, ns }, [numbers, numbers], { from: 3, to: 5, textOf }),
    expected.slice(3, 5).join(),
  );
  assert.ok(areUsualTimes({ ms, ns }, 0, ms.length));
  assert.ok(!areUsualTimes({ ms: [1e12, 1e12 - 1], ns: [0, 0] }, 0, 2));
});
