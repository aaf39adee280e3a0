import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { hunter } from './hunter.ts';
import { METHODS, methodNamed } from './methods.ts';

interface Vector {
  readonly name: string;
  readonly current: number;
  readonly history: readonly number[];
  readonly lower_better: boolean | null;
  readonly results: Readonly<Record<string, JsonObject>>;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(`test/golden/matrix/expected/${name}`, 'utf8'));
const vectors = read('method_vectors.json') as readonly Vector[];

/** Equal, and numbers to 1e-9 of their size. */
function assertNear(found: unknown, wanted: JsonValue, place: string): void {
  if (wanted === 'inf' || wanted === 'nan') {
    assert.equal(String(found), wanted === 'inf' ? 'Infinity' : 'NaN');
  } else if (typeof wanted === 'number') {
    const near = Math.abs((found as number) - wanted) <= 1e-9 * Math.max(Math.abs(wanted), 1e-30);
    assert.ok(near, `${place}: ${found} is not ${wanted}`);
  } else if (typeof wanted !== 'object' || wanted === null) {
    assert.equal(found ?? null, wanted, place);
  } else {
    assert.deepEqual(Object.keys(found as object).sort(), Object.keys(wanted).sort(), place);
    for (const [key, value] of Object.entries(wanted))
      assertNear((found as Record<string, unknown>)[key], value, `${place}.${key}`);
  }
}

function judge(name: string, { history, current, lower_better: lowerBetter }: Vector, isCompat: boolean) {
  const options = { lowerBetter: lowerBetter ?? undefined };
  return methodNamed(name, isCompat)?.judge(Float64Array.from(history), current, options);
}

for (const vector of vectors) {
  for (const [name, wanted] of Object.entries(vector.results)) {
    test(`${name} gives the original's result: ${vector.name}`, () => {
      const { rating = null, improved = null, accepted = null, ...rest } = judge(name, vector, true) ?? {};
      assertNear({ ...rest, rating, improved, accepted }, wanted, vector.name);
    });
  }
}

test('hunter sees the order of versions, and that of texts', () => {
  const { values, current, results } = read('order_case.json') as {
    readonly values: Record<string, number>;
    readonly current: number;
    readonly results: Record<string, JsonObject & { readonly history: readonly number[] }>;
  };
  assert.deepEqual(Object.values(values), results['version_order']?.history);
  for (const [order, { history, ...wanted }] of Object.entries(results)) {
    const found = judge('hunter', { name: order, current, history, lower_better: true, results: {} }, false);
    assertNear(found, wanted, order);
  }
});

test('zscore knows the direction, and a constant history does not stop it', () => {
  const drop = vectors.find(({ name }) => name === 'drop_lower_better') as Vector;
  assert.equal(judge('zscore', drop, false)?.improved, true);
  const constant = { ...drop, history: [100, 100, 100] };
  const worse = judge('zscore', { ...constant, current: 101 }, false);
  assert.deepEqual([worse?.accepted, worse?.rating, worse?.improved], [false, 1, false]);
  assert.equal(judge('zscore', { ...constant, current: 100 }, false)?.accepted, true);
  assert.equal(judge('zscore', { ...constant, history: [] }, false)?.accepted, undefined);
});

test('what a method says does not depend on the unit, and turns round with the sign', () => {
  const value = fc.double({ min: 50, max: 200, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 2, maxLength: 70 }),
      value,
      fc.boolean(),
      (values, current, lower) => {
        const history = Float64Array.from(values);
        for (const { judge: method } of METHODS) {
          const plain = method(history, current, { lowerBetter: lower });
          // By powers of two: rounding is the same.
          const scaled = method(
            history.map((it) => it * 1024),
            current * 1024,
            { lowerBetter: lower },
          );
          const turned = method(
            history.map((it) => -it),
            -current,
            { lowerBetter: !lower },
          );
          for (const other of [scaled, turned]) {
            assert.deepEqual([other.accepted, other.rating], [plain.accepted, plain.rating]);
          }
          assert.equal(scaled.improved, plain.improved);
        }
      },
    ),
    { numRuns: 200, seed: 5 },
  );
});

test('hunter takes a long history window by window', () => {
  const history = Float64Array.from({ length: 20_000 }, (_, at) => (at < 12_345 ? 100 : 150) + (at % 7) / 10);
  const found = hunter.judge(history, 150, { lowerBetter: true });
  assert.equal(found.description, 'Inline (1 historical)');
  assert.equal((found.details as readonly JsonObject[])[0]?.['index'], 12_345);
});
