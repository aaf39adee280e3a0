import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bestValue,
  type Curve,
  curveFromJson,
  curveToJson,
  finalValue,
  makeCurve,
  normalizedArea,
} from '../../charts/core/curves/curve.ts';
import { curveChart } from '../../charts/core/curves/curve-chart.ts';
import { alignCurves, summarizeCurves } from '../../charts/core/curves/summarize-curves.ts';
import { interquartileInterval, interquartileMean } from '../../stats/means.ts';

const NaN_ = Number.NaN;
const flat = (height: number): Curve => makeCurve([0, 10], [height, height]);

test('points are sorted, the last of equal places counts, gaps stay and places that are no number go', () => {
  const curve = makeCurve([3, 1, 2, 1, NaN_, 4], [30, 10, NaN_, 11, 5, Number.POSITIVE_INFINITY]);
  assert.deepEqual([...curve.x], [1, 2, 3, 4]);
  assert.deepEqual([...curve.y], [11, NaN_, 30, NaN_]);
  const kept = JSON.parse(JSON.stringify(curveToJson(curve)));
  assert.deepEqual(kept, { x: [1, 2, 3, 4], y: [11, null, 30, null] });
  assert.deepEqual(curveFromJson(kept), curve);
  assert.equal(curveFromJson({ x: [1], y: [1, 2] }), undefined);
});

test('curves of unequal length meet on the range that they share', () => {
  const { x, rows } = alignCurves([makeCurve([0, 10, 20], [0, 100, 0]), makeCurve([5, 15], [1, 3])], 5);
  assert.deepEqual([...x], [5, 7.5, 10, 12.5, 15]);
  assert.deepEqual([...(rows[0] ?? [])], [50, 75, 100, 75, 50]);
  assert.deepEqual([...(rows[1] ?? [])], [1, 1.5, 2, 2.5, 3]);
});

test('beside a gap there is a gap', () => {
  const { rows } = alignCurves([makeCurve([0, 1, 2, 3, 4], [0, 1, NaN_, 3, 4])], 9);
  assert.deepEqual([...(rows[0] ?? [])], [0, 0.5, 1, NaN_, NaN_, NaN_, 3, 3.5, 4]);
});

test('curves that share no range are refused', () => {
  assert.throws(() => alignCurves([makeCurve([0, 1], [0, 0]), makeCurve([2, 3], [0, 0])]), {
    code: 'CURVE_NO_COMMON_RANGE',
  });
  assert.throws(() => alignCurves([flat(1), makeCurve([], [])]), { code: 'CURVE_NO_COMMON_RANGE' });
});

test('area, final and best of a ramp, by hand', () => {
  const ramp = makeCurve([0, 10, 30], [0, 10, 10]); // 50 + 200 over 30
  assert.equal(normalizedArea(ramp), 250 / 30);
  assert.equal(normalizedArea(makeCurve([0, 1, 2, 3], [4, 4, NaN_, 100])), 4);
  const twenty = makeCurve(
    Float64Array.from({ length: 20 }, (_, i) => i),
    Float64Array.from({ length: 20 }, (_, i) => i * i),
  );
  assert.equal(finalValue(twenty), (18 * 18 + 19 * 19) / 2);
  assert.equal(bestValue(makeCurve([0, 1, 2], [3, NaN_, -1]), 'higher'), 3);
  assert.equal(bestValue(makeCurve([0, 1, 2], [3, NaN_, -1]), 'lower'), -1);
});

test('a run that ended in nan has no final value, and an empty one no best', () => {
  assert.throws(() => finalValue(makeCurve([0, 1], [1, NaN_])), { code: 'CURVE_NO_VALUE' });
  assert.throws(() => bestValue(makeCurve([0, 1], [NaN_, NaN_]), 'higher'), { code: 'CURVE_NO_VALUE' });
  assert.throws(() => normalizedArea(makeCurve([], [])), { code: 'CURVE_NO_VALUE' });
});

test('the interquartile mean leaves out a quarter at each end', () => {
  assert.equal(interquartileMean([1, 2, 3]), 2);
  assert.equal(interquartileMean([100, 1, 2, 3]), 2.5);
  assert.equal(interquartileMean([8, 7, 6, 5, 4, 3, 2, 1000]), (4 + 5 + 6 + 7) / 4);
  const { low, high } = interquartileInterval([1, 2, 3, 4, 5, 6, 7, 100]);
  assert.ok(low >= 1 && low < 4.5 && high > 4.5 && high <= 100, `${low} to ${high}`);
  assert.deepEqual(interquartileInterval([1, 2, 3, 4, 5, 6, 7, 100]), { low, high, level: 0.95 });
  // Of few values Student's: 4.303 standard errors of three, around their mean.
  const few = interquartileInterval([1, 2, 3]);
  assert.deepEqual([few.low.toFixed(4), few.high.toFixed(4)], ['-0.4841', '4.4841']);
  assert.deepEqual(interquartileInterval([5, 5, 5]), { low: 5, high: 5, level: 0.95 });
});

test('seeds are summarised at each place, with the sample deviation', () => {
  const summary = summarizeCurves([flat(1), flat(2), flat(3), flat(10)], { points: 3 });
  assert.deepEqual([...summary.x], [0, 5, 10]);
  assert.deepEqual([...summary.mean], [4, 4, 4]);
  assert.deepEqual([...summary.iqm], [2.5, 2.5, 2.5]);
  assert.deepEqual([...summary.seeds], [4, 4, 4]);
  assert.ok(Math.abs((summary.deviation[0] ?? 0) - Math.sqrt(50 / 3)) < 1e-12);
  assert.ok((summary.low[0] ?? 9) < 2.5 && (summary.high[0] ?? 0) > 2.5);
  assert.equal(summary.low[0], summary.low[2], 'whole curves are resampled: flat ones have a flat band');
  assert.deepEqual(summarizeCurves([flat(1), flat(2), flat(3), flat(10)], { points: 3 }), summary);
});

test('the chart has a line with a band for several seeds, a plain line for one, and names what is missing', () => {
  const chart = curveChart(
    [
      { name: 'ppo', curves: [flat(1), flat(3)] },
      { name: 'trpo', curves: [makeCurve([0, 1], [5, 6])] },
      { name: 'vpg', curves: [makeCurve([], [])] },
      { name: 'td3', curves: [flat(1), makeCurve([50], [1])] },
    ],
    { title: 'Return', xLabel: 'TotalEnvSteps', yLabel: 'AverageReturn', center: 'mean', points: 2 },
  );
  assert.deepEqual(chart.series, [
    {
      name: 'ppo',
      x: [0, 10],
      y: [2, 2],
      low: [2 - Math.SQRT2, 2 - Math.SQRT2],
      high: [2 + Math.SQRT2, 2 + Math.SQRT2],
    },
    { name: 'trpo', x: [0, 1], y: [5, 6] },
  ]);
  assert.deepEqual(chart.notes, [
    'Mean over seeds; the band is one standard deviation to each side.',
    'vpg: there is no curve.',
    'td3: its 2 curves have no range in common.',
  ]);
});
