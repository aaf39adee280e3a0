import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { createChangeFinder, findChanges } from './find-changes.ts';

const indices = (values: Float64Array) => findChanges({ values }).changes.map(({ index }) => index);

/** Levels of so many points each, with normal noise of deviation 1. */
function series(levels: readonly (readonly [count: number, value: number])[], seed = 1): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from(
    levels.flatMap(([count, value]) =>
      Array.from({ length: count }, () => value + normalQuantile(random() * 0.9999 + 0.00005)),
    ),
  );
}

const STEPS: readonly (readonly [number, number])[] = [
  [40, 100],
  [30, 106],
  [50, 103],
];

describe('findChanges', () => {
  test('finds where each level begins, its value and the shift with an interval', () => {
    const { levels, changes, noise } = findChanges({ values: series(STEPS) });
    assert.deepEqual(
      changes.map(({ index }) => index),
      [40, 70],
    );
    assert.deepEqual(
      levels.map(({ start, end, count }) => [start, end, count]),
      [
        [0, 40, 40],
        [40, 70, 30],
        [70, 120, 50],
      ],
    );
    const [first, second] = changes;
    assert.ok(first && second);
    assert.ok(first.shift.low < 6 && first.shift.high > 6 && first.shift.low > 5 && first.shift.high < 7);
    assert.ok(second.shift.low < -3 && second.shift.high > -3);
    assert.ok(
      Math.abs((first.shift.relative?.change ?? 0) - first.shift.difference / first.before.value) < 1e-12,
    );
    assert.ok(first.p < 1e-9 && second.p < 1e-6);
    assert.ok(noise.scale > 0.8 && noise.scale < 1.2);
  });

  test('says nothing of nothing, of one point, of equal points and of gaps alone', () => {
    assert.deepEqual(findChanges({ values: new Float64Array(0) }).levels, []);
    assert.deepEqual(findChanges({ values: Float64Array.of(Number.NaN, Number.NaN) }).levels, []);
    assert.deepEqual(findChanges({ values: Float64Array.of(7) }).levels, [
      { start: 0, end: 1, value: 7, scale: 0, count: 1 },
    ]);
    const constant = findChanges({ values: new Float64Array(50).fill(7) });
    assert.deepEqual(constant.levels, [{ start: 0, end: 50, value: 7, scale: 0, count: 50 }]);
  });

  test('finds a step between two values without any noise, and its shift is a point', () => {
    const values = new Float64Array(40).fill(10).fill(11, 20);
    const [change] = findChanges({ values }).changes;
    assert.equal(change?.index, 20);
    assert.deepEqual([change?.shift.low, change?.shift.high], [1, 1]);
    assert.ok((change?.p ?? 1) < 1e-6);
  });

  test('slow, fixed, slow again is a step where it is slow again, between levels that occurred', () => {
    const night = (slow: number, fixed: number, [low, high]: readonly [number, number] = [100, 120]) =>
      Float64Array.from({ length: 20 + slow + fixed + 8 }, (_, i) =>
        i < 20 || (i >= 20 + slow && i < 20 + slow + fixed) ? low : high,
      );
    for (const [slow, fixed] of [
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
    ] as const) {
      const [change, ...more] = findChanges({ values: night(slow, fixed) }).changes;
      assert.equal(more.length, 0);
      assert.equal(change?.index, 20 + slow + fixed);
      assert.equal(change.firstSeen, 20);
      assert.deepEqual([change.before.value, change.after.value], [100, 120]);
    }
    const [change] = findChanges({ values: night(1, 1, [2304, 6401]) }).changes;
    assert.deepEqual(
      [change?.index, change?.range, change?.before.value, change?.after.value],
      [22, { first: 20, last: 22 }, 2304, 6401],
    );
    const [down] = findChanges({ values: night(1, 1).map((value) => -value) }).changes;
    assert.equal(down?.index, 22);
  });

  test('an outlier near a step between equal values moves nothing', () => {
    const values = new Float64Array(30).fill(100).fill(120, 20);
    const found = (at: number, outlier: number) => findChanges({ values: values.with(at, outlier) }).changes;
    for (const at of [12, 15, 18, 22, 24, 27])
      for (const outlier of [70, 90, 150, 500]) {
        const [change, ...more] = found(at, outlier);
        assert.equal(more.length, 0);
        assert.deepEqual([change?.index, change?.before.value, change?.after.value], [20, 100, 120]);
      }
  });

  test('says when a level was there before', () => {
    const returns = (levels: readonly (readonly [number, number])[]) =>
      findChanges({ values: series(levels) }).changes.map((change) => change.returns?.to);
    const reverted = [
      [30, 100],
      [20, 106],
      [25, 100],
      [20, 106],
    ] as const;
    assert.deepEqual(returns(reverted), [undefined, 0, 1]);
    // Half way back is another level.
    assert.deepEqual(
      returns([
        [30, 100],
        [20, 106],
        [25, 103],
      ]),
      [undefined, undefined],
    );
  });

  test('takes no spike, no pair of spikes and no huge value for a change', () => {
    const values = series([[120, 100]]);
    for (const at of [30, 60, 61, 90]) values[at] = 150;
    values[100] = 1e12;
    assert.deepEqual(indices(values), []);
  });

  test('takes a drift for no change', () => {
    const values = series([[200, 100]]).map((value, index) => value + index / 20);
    assert.deepEqual(indices(values), []);
  });

  test('still finds a step of noise in which neighbours resemble each other, and rarely more', () => {
    let alarms = 0;
    for (let seed = 1; seed <= 100; seed++) alarms += indices(waves(200, seed)).length;
    // 100 series of 200 points with a correlation of 0.6: 1 % of series is what is promised for independent points.
    assert.ok(alarms <= 8, `${alarms} false alarms`);
    const stepped = waves(200, 7).map((value, index) => value + (index >= 90 ? 8 : 0));
    assert.deepEqual(indices(stepped), [90]);
  });

  test('leaves out what is smaller than the smallest effect of interest', () => {
    const values = series(STEPS);
    const found = (options: Parameters<typeof findChanges>[1]) =>
      findChanges({ values }, options).changes.map(({ index }) => index);
    assert.deepEqual(found({ minEffect: 0.02 }), [40, 70]);
    assert.equal(found({ minEffect: 0.035 }).length, 1);
    assert.equal(found({ minDifference: 3.5 }).length, 1);
    assert.deepEqual(found({ minDifference: 10 }), []);
  });

  test('a light point counts less: a step of light points alone is none', () => {
    const values = series([
      [60, 100],
      [6, 105],
      [60, 100],
    ]);
    const heavy = new Float64Array(126).fill(10);
    assert.deepEqual(
      findChanges({ values, weights: heavy }).changes.map(({ index }) => index),
      [60, 66],
    );
    const light = heavy.map((weight, index) => (index >= 60 && index < 66 ? weight / 50 : weight));
    assert.deepEqual(findChanges({ values, weights: light }).changes, []);
    const none = heavy.map((weight, index) => (index >= 60 && index < 66 ? 0 : weight));
    assert.deepEqual(
      findChanges({ values, weights: none }).levels.map(({ count }) => count),
      [120],
    );
  });

  test('shows two modes as modes, and still finds when both move', () => {
    const random = seededRandom(3);
    const bistable = series([[150, 100]]).map((value) => value + (random() < 0.4 ? 20 : 0));
    const { changes, modes } = findChanges({ values: bistable });
    assert.deepEqual(changes, []);
    assert.deepEqual(
      modes.map(({ value }) => Math.round(value)),
      [100, 120],
    );
    assert.ok(Math.abs((modes[1]?.share ?? 0) - 0.4) < 0.1);
    const moved = bistable.map((value, index) => value + (index >= 70 ? 30 : 0));
    const [change, ...more] = findChanges({ values: moved }).changes;
    assert.equal(more.length, 0);
    assert.ok(change && Math.abs(change.index - 70) <= 2);
  });

  test('takes modes that last for dozens of points for modes once the series came back three times', () => {
    const turns = (count: number, points: number) =>
      Array.from({ length: count }, (_, k) => [points + (k % 3), k % 2 === 0 ? 100 : 110] as const);
    assert.equal(indices(series(turns(4, 40))).length, 3);
    const lasting = findChanges({ values: series(turns(5, 40)) });
    assert.deepEqual(lasting.changes, []);
    assert.deepEqual(
      lasting.modes.map(({ value }) => Math.round(value)),
      [100, 110],
    );
    // Long after, and point by point; a third value is news.
    const long = findChanges({ values: series(turns(40, 40)) });
    assert.deepEqual(long.changes, []);
    const [change, ...more] = findChanges({ values: series([...turns(40, 40), [40, 125]]) }).changes;
    assert.equal(more.length, 0);
    assert.ok(change && Math.abs(change.index - 1639) <= 1, `${change?.index}`);
    // Levels that are never the same are changes however often they go up and down.
    const different = [100, 110, 103, 114, 106, 118].map((value) => [30, value] as const);
    assert.deepEqual(indices(series(different)), [30, 60, 90, 120, 150]);
  });

  test('a point of weight 9 counts like nine points of that mean', () => {
    const STEP = 0.55;
    let [held, all, found, unweighted] = [0, 0, 0, 0];
    for (let seed = 1; seed <= 150; seed++) {
      const plain = series([[900, 0]], seed);
      // Each second point is the mean of nine; the step of 0.55 is small for single points.
      const weights = Float64Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 9 : 1));
      const values = weights.map((weight, i) => {
        const nine = plain.subarray(9 * i, 9 * i + weight);
        return 100 + (i >= 50 ? STEP : 0) + nine.reduce((sum, value) => sum + value, 0) / weight;
      });
      unweighted += findChanges({ values }).changes.length;
      for (const { index, shift } of findChanges({ values, weights }).changes) {
        all++;
        if (Math.abs(index - 50) <= 5) found++;
        if (shift.low <= STEP && shift.high >= STEP) held++;
      }
    }
    assert.ok(found >= 125 && all - found <= 15, `${found} found of 150, ${all - found} elsewhere`);
    assert.ok(unweighted < found - 30, `${unweighted} without weights`);
    assert.ok(held / all > 0.93, `${held} of ${all}`);
  });

  test('weights that are all the same change nothing', () => {
    const values = series(STEPS);
    const nines = findChanges({ values, weights: new Float64Array(values.length).fill(4) });
    assert.deepEqual(nines, findChanges({ values }));
  });

  test('sees one mode in normal, skewed and uniform noise', () => {
    const random = seededRandom(11);
    const shapes = [
      (u: number) => normalQuantile(u * 0.9999 + 0.00005),
      (u: number) => -Math.log(u + 1e-9),
      (u: number) => u,
    ];
    let bistable = 0;
    for (const shape of shapes)
      for (let k = 0; k < 200; k++) {
        const values = Float64Array.from({ length: 30 + k }, () => shape(random()));
        if (findChanges({ values }).modes.length > 0) bistable++;
      }
    assert.equal(bistable, 0);
  });

  test('its interval holds the true shift about as often as it says', () => {
    let [held, all] = [0, 0];
    for (let seed = 1; seed <= 300; seed++) {
      for (const { shift } of findChanges({
        values: series(
          [
            [40, 100],
            [25, 103],
          ],
          seed,
        ),
      }).changes) {
        all++;
        if (shift.low <= 3 && shift.high >= 3) held++;
      }
    }
    assert.ok(all > 280, `${all} found`);
    assert.ok(held / all > 0.92, `${held} of ${all}`);
  });
});

describe('findChanges, whatever the values', () => {
  const any = fc
    .tuple(
      fc.array(fc.tuple(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 90, max: 110 })), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.integer({ min: 1, max: 1e6 }),
    )
    .map(([levels, seed]) => series(levels, seed));
  // Powers of two scale without rounding, so the answer is exactly the same.
  const factors = fc.constantFrom(-1, 0.25, -8, 1024);

  test('a factor, also a negative one, changes the unit and nothing else', () => {
    fc.assert(
      fc.property(any, factors, (values, factor) => {
        const [plain, scaled] = [
          findChanges({ values }),
          findChanges({ values: values.map((value) => value * factor) }),
        ];
        assert.deepEqual(
          scaled.changes.map(({ index, p }) => ({ index, p })),
          plain.changes.map(({ index, p }) => ({ index, p })),
        );
        assert.deepEqual(
          scaled.levels.map(({ value }) => value),
          plain.levels.map(({ value }) => value * factor),
        );
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  test('a shift of all values moves the levels and nothing else', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: -1000, max: 1000 }), (values, shift) => {
        // Multiples of 2^-20 are added without rounding.
        const exact = values.map((value) => Math.round(value * 2 ** 20) / 2 ** 20);
        assert.deepEqual(indices(exact.map((value) => value + shift)), indices(exact));
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  test('a gap keeps its index and changes nothing else', () => {
    fc.assert(
      fc.property(any, fc.array(fc.nat(400), { maxLength: 10 }), (values, gaps) => {
        const [gapped, places]: [number[], number[]] = [[], []];
        values.forEach((value, index) => {
          for (const gap of gaps) if (gap === index) gapped.push(Number.NaN);
          places.push(gapped.length);
          gapped.push(value);
        });
        assert.deepEqual(
          indices(Float64Array.from(gapped)),
          indices(values).map((index) => places[index]),
        );
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  test('point by point gives the same as all at once', () => {
    fc.assert(
      fc.property(any, any, (one, other) => {
        const values = Float64Array.from([...one, ...other, ...one, ...other]);
        const finder = createChangeFinder();
        values.forEach((value, index) => {
          finder.append(value);
          if (index % 37 === 0 || index === values.length - 1)
            assert.deepEqual(finder.levels(), findChanges({ values: values.slice(0, index + 1) }));
        });
      }),
      { numRuns: 15, seed: 5 },
    );
  });

  test('what was found more than 400 points ago stays, whatever comes', () => {
    fc.assert(
      fc.property(any, any, fc.integer({ min: 1, max: 1e6 }), (one, other, seed) => {
        const now = Float64Array.from([
          ...series([[300, 100]], seed),
          ...one,
          ...other,
          ...series([[400, 95]], seed),
        ]);
        const old = (at: number) => at < now.length - 400;
        const later = Float64Array.from([...now, ...other.map((value) => value * 2), ...one]);
        assert.deepEqual(indices(later).filter(old), indices(now).filter(old));
      }),
      { numRuns: 30, seed: 5 },
    );
  });
});

/** Noise in which neighbours have a correlation of 0.6. */
function waves(length: number, seed: number): Float64Array {
  const steps = series([[length, 0]], seed);
  let last = 0;
  return steps.map((step) => {
    last = 0.6 * last + step;
    return 100 + last;
  });
}
