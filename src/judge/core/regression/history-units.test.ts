import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asFewAs, nightlyHistory, nightUnits, unitsOf, unitValue, unitWeights } from './history-units.ts';

const HOUR = 3_600_000;
const at = (day: number, hour: number, value: number, key = 'a') => ({
  ...{ value, key, at: (24 * day + hour) * HOUR },
});
const keyOf = ({ key }: { readonly key: string }) => key;

test('repeats of a key are one unit, its nights are kept apart, and each night counts once', () => {
  const repeats = [at(0, 2, 10), at(0, 1, 12), at(1, 1, 20, 'b'), at(3, 1, 16), at(0, 5, 11)];
  const units = unitsOf(repeats, keyOf);
  assert.deepEqual(
    units.map(({ nights }) => nights.map((night) => night.map(({ value }) => value))),
    [[[12, 10, 11], [16]], [[20]]],
  );
  // The median of three, then the mean of two nights.
  assert.deepEqual(units.map(unitValue), [13.5, 20]);
  assert.deepEqual(nightUnits(units).map(unitValue), [11, 16, 20]);
});

test('a unit is compared with no more nights and repeats than the other has', () => {
  const [many] = unitsOf([at(0, 0, 1), at(0, 1, 2), at(0, 2, 3), at(1, 0, 4), at(2, 0, 5)], keyOf);
  const [few] = unitsOf([at(9, 0, 7), at(9, 1, 8)], keyOf);
  assert.ok(many && few);
  assert.deepEqual(
    asFewAs(many, few).nights.map((night) => night.map(({ value }) => value)),
    [[1, 2]],
  );
  assert.deepEqual(asFewAs(few, many), few);
});

test('values of more repeats count more only as far as repeats are what varies', () => {
  // Two or eight repeats of each version, alternating.
  const versions = (night: number, repeat: number) =>
    unitsOf(
      Array.from({ length: 20 }, (_, version) =>
        Array.from({ length: version % 2 === 0 ? 2 : 8 }, (_, n) =>
          at(version, 0, 100 + night * Math.sin(version * 7) + repeat * (n % 2 === 0 ? 1 : -1), `${version}`),
        ),
      ).flat(),
      keyOf,
    );
  const ratio = (weights: Float64Array | undefined) => (weights?.[1] ?? 0) / (weights?.[0] ?? 1);
  assert.ok(Math.abs(ratio(unitWeights(versions(0, 1))) - 4) < 1e-9, 'a mean of four times as many');
  assert.ok(ratio(unitWeights(versions(10, 0.1))) < 1.01);
  assert.ok(Math.abs(ratio(unitWeights(versions(1, 0))) - 1) < 1e-9, 'repeats that do not differ');
  assert.equal(unitWeights(unitsOf([at(0, 0, 1), at(1, 0, 2, 'b')], keyOf)), undefined);
});

test('a history of tests becomes one of nights; gaps and unknown times are kept out of the way', () => {
  const values = Float64Array.of(5, 10, 12, Number.NaN, 20, 30);
  const times = [Number.NaN, 0, HOUR, 2 * HOUR, 48 * HOUR, 72 * HOUR];
  const { values: nights, places, weights } = nightlyHistory(values, times);
  assert.deepEqual(
    [[...nights], places],
    [
      [5, 11, 20, 30],
      [0, 1, 4, 5],
    ],
  );
  assert.equal(weights?.length, 4);
});
