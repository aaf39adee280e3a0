import type { Better } from '../../../home/core/changes/change.ts';
import { type AlarmThresholds, judgeSeries } from '../changes/judge-series.ts';
import { NEWEST_DEFAULTS } from '../newest/judge-newest.ts';
import type { MethodResult, RegressionMethod } from '../regression/regression-method.ts';

/** Values before the judged one that are used: a verdict costs the same, however long the history. */
const WINDOW = 200;

/** The judge of this program as one of the named methods. */
export function nightmarkMethod(thresholds?: AlarmThresholds): RegressionMethod {
  const falseAlarms = thresholds?.falseAlarms ?? NEWEST_DEFAULTS.falseAlarms;
  return {
    name: 'nightmark',
    judge(history, current, { lowerBetter }) {
      const better: Better = lowerBetter === undefined ? 'unknown' : lowerBetter ? 'lower' : 'higher';
      const values = Float64Array.of(...history.subarray(-WINDOW), current);
      const rules = thresholds ? { thresholds } : {};
      const { newest: found } = judgeSeries({ values, better, acceptsLevels: true }, rules);
      const { verdict, p, shift } = found;
      return {
        // Undecided is an answer: there is no alarm. Without any p there was nothing to judge by.
        accepted: p === undefined ? undefined : verdict !== 'slower' && verdict !== 'changed',
        ...(p === undefined ? {} : { p, rating: Math.log(Math.max(p, 1e-300)) / Math.log(falseAlarms) }),
        ...(verdict === 'slower' || verdict === 'faster' ? { improved: verdict === 'faster' } : {}),
        description: [verdict, ...found.notes].join('. '),
        details: {
          history: found.history,
          ...(p === undefined ? {} : { p }),
          ...(shift === undefined ? {} : { difference: shift.difference, low: shift.low, high: shift.high }),
        },
      };
    },
  };
}

/**
 * The rule of the old dashboards' stat_alert: further from the mean than one population standard deviation, either
 * way. For steady normal data it cries in a third of all nights; it is here to be compared with, and by name.
 */
export const oneSd: RegressionMethod = {
  name: 'one-sd',
  judge(history, current, { lowerBetter }): MethodResult {
    const mean = numpyMean(history);
    const deviation = Math.sqrt(numpyMean(history.map((value) => (value - mean) ** 2)));
    const distance = Math.abs(current - mean);
    if (!Number.isFinite(distance) || !Number.isFinite(deviation))
      return {
        accepted: undefined,
        description: 'There is no earlier value, or no current one.',
        details: {},
      };
    const improved =
      lowerBetter === undefined ? undefined : current < mean === lowerBetter && current !== mean;
    const isOut = distance > deviation;
    return {
      accepted: !isOut,
      ...(deviation > 0 ? { rating: distance / deviation } : {}),
      ...(improved === undefined ? {} : { improved }),
      description: isOut
        ? 'More than one standard deviation from the mean.'
        : 'Within one standard deviation.',
      details: { mean, deviation, count: history.length },
    };
  },
};

/** Indices of the times at most `days` whole days before `now`; all of them below one day, as stat_alert has it. */
export function withinWholeDays(times: Float64Array, now: number, days: number): readonly number[] {
  const places = [...times.keys()];
  if (!(days >= 1)) return places;
  return places.filter((place) => Math.floor((now - (times[place] ?? 0)) / DAY_MS) <= days);
}

const DAY_MS = 86_400_000;

/** Sums in the order in which numpy does, so that a tie there is a tie here. */
function numpyMean(values: Float64Array): number {
  return numpySum(values) / values.length;
}

function numpySum(values: Float64Array): number {
  const n = values.length;
  if (n < 8) return values.reduce((sum, value) => sum + value, 0);
  if (n > 128) {
    const half = Math.floor(n / 2) - (Math.floor(n / 2) % 8);
    return numpySum(values.subarray(0, half)) + numpySum(values.subarray(half));
  }
  const lanes = values.slice(0, 8);
  let place = 8;
  for (; place < n - (n % 8); place += 8)
    for (let lane = 0; lane < 8; lane++) lanes[lane] = (lanes[lane] ?? 0) + (values[place + lane] ?? 0);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = lanes;
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (; place < n; place++) sum += values[place] ?? 0;
  return sum;
}
