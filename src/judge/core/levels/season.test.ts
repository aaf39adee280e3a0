import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { createChangeFinder, findChanges } from './find-changes.ts';
import { findSeason, seasonAt } from './season.ts';

/** Normal noise of deviation 1 around what a level and a season say of each point. */
function series(length: number, seed: number, level: (index: number) => number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from(
    { length },
    (_, i) => 100 + level(i) + normalQuantile(random() * 0.9999 + 0.00005),
  );
}

const seasonOf = (values: Float64Array) =>
  findSeason({ values, places: Float64Array.from(values, (_, index) => index) });
const month = (index: number) => 2 * Math.sin((2 * Math.PI * index) / 30);
const weekend = (index: number) => (index % 7 >= 5 ? 3 : 0);

describe('findSeason', () => {
  test('finds period and amplitude of a cycle, whatever steps there are', () => {
    for (const step of [0, 3, 20]) {
      const season = seasonOf(series(300, 3, (i) => month(i) + (i >= 130 ? step : 0)));
      assert.equal(season?.period, 30);
      assert.ok(Math.abs(season.amplitude - 2) < 0.4, `${season.amplitude}`);
    }
  });

  test('knows the shape of a week', () => {
    const season = seasonOf(series(300, 5, weekend));
    assert.equal(season?.period, 7);
    for (let day = 0; day < 7; day++)
      assert.ok(Math.abs(seasonAt(season, day) - (weekend(day) - 6 / 7)) < 0.5, `day ${day}`);
  });

  test('gaps keep the phase', () => {
    const values = series(330, 7, month);
    const places = Float64Array.from({ length: 330 }, (_, index) => index).filter(
      (index) => index % 10 !== 3,
    );
    const season = findSeason({ values: values.filter((_, index) => index % 10 !== 3), places });
    assert.equal(season?.period, 30);
    assert.ok(Math.abs(seasonAt(season, 7.5) - 2) < 0.6);
  });

  test('wants about five periods', () => {
    assert.equal(seasonOf(series(120, 3, month)), undefined);
    assert.equal(seasonOf(series(39, 3, weekend)), undefined);
  });

  test('noise, walks, drifts and steps have none', () => {
    let found = 0;
    for (let seed = 1; seed <= 100; seed++) {
      let last = 0;
      const kinds = [
        series(300, seed, () => 0),
        series(300, seed, (i) => (i >= 90 ? 5 : 0) - (i >= 200 ? 3 : 0)),
        series(300, seed, (i) => i / 50),
        series(300, seed, () => 0).map((value) => {
          last = 0.6 * last + value - 100;
          return last;
        }),
        series(300, seed, () => 0).map((value) => {
          last += value - 100;
          return last;
        }),
      ];
      found += kinds.filter((values) => seasonOf(values) !== undefined).length;
    }
    assert.ok(found <= 5, `${found} of 500`);
  });
});

describe('findChanges with seasons', () => {
  test('a cycle is no change, and a step in it is found', () => {
    let alarms = 0;
    for (let seed = 1; seed <= 50; seed++) {
      alarms += findChanges({ values: series(300, seed, month) }).changes.length;
      const [change, ...more] = findChanges({
        values: series(300, seed, (i) => month(i) + (i >= 170 ? 6 : 0)),
      }).changes;
      assert.equal(more.length, 0);
      assert.ok(change && Math.abs(change.index - 170) <= 2, `${change?.index}`);
      assert.ok(Math.abs(change.shift.difference - 6) < 1, `${change.shift.difference}`);
    }
    assert.ok(alarms <= 1, `${alarms} false alarms`);
  });

  test('weekdays and months may go together', () => {
    const { changes, seasons } = findChanges({ values: series(350, 2, (i) => month(i) + weekend(i)) });
    assert.deepEqual(changes, []);
    assert.deepEqual(
      seasons?.map(({ period }) => period).sort((a, b) => a - b),
      [7, 30],
    );
    assert.equal(findChanges({ values: series(350, 2, () => 0) }).seasons, undefined);
  });

  test('point by point and over years it is the same as all at once', () => {
    const values = series(1000, 9, (i) => month(i) + (i >= 600 ? 8 : 0));
    const finder = createChangeFinder();
    values.forEach((value, index) => {
      finder.append(value);
      if (index % 111 === 0 || index === 999)
        assert.deepEqual(finder.levels(), findChanges({ values: values.subarray(0, index + 1) }));
    });
    assert.deepEqual(
      finder
        .levels()
        .changes.filter(({ index }) => index > 160)
        .map(({ index }) => index),
      [600],
    );
  });
});
