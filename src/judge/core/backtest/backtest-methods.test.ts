import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneSd, withinWholeDays } from './backtest-methods.ts';

const judge = (history: readonly number[], current: number, lowerBetter?: boolean) =>
  oneSd.judge(Float64Array.from(history), current, { lowerBetter });

test('golden 01, fourth run: mean 5.50e-01 +/- 4.08e-02, and 1.10e+00 +/- 8.16e-02', () => {
  const a = judge([0.5, 0.6, 0.55], 0.9);
  assert.equal(a.accepted, false);
  assert.deepEqual(shown(a.details), ['5.50e-1', '4.08e-2']);
  const b = judge([1.0, 1.2, 1.1], 1.8);
  assert.equal(b.accepted, false);
  assert.deepEqual(shown(b.details), ['1.10e+0', '8.16e-2']);
});

test('a distance of exactly one deviation, as numpy computes both, is silent', () => {
  // Golden 18: both sides are 0.04999999999999999 there; the divisor n - 1, or squares minus square, would break it.
  for (const [past, current] of [
    [[0.2, 0.3], 0.3],
    [[0.35, 0.25], 0.25],
  ] as const) {
    const tie = judge(past, current);
    assert.equal(tie.accepted, true);
    assert.equal((tie.details as { deviation: number }).deviation, 0.04999999999999999);
    assert.equal(tie.rating, 1);
  }
  assert.equal(judge([0.2, 0.3], 0.3000001).accepted, false);
});

test('a constant or single past alerts on any difference, an empty one never', () => {
  assert.equal(judge([2, 2, 2], 2).accepted, true);
  assert.equal(judge([2, 2, 2], 2.0000001).accepted, false);
  assert.equal(judge([2], 3).accepted, false);
  assert.equal(judge([], 3).accepted, undefined);
});

test('knows what improved only when it knows the direction', () => {
  assert.equal(judge([2, 3], 1).improved, undefined);
  assert.equal(judge([2, 3], 1, true).improved, true);
  assert.equal(judge([2, 3], 1, false).improved, false);
  assert.equal(judge([2, 2], 2, true).improved, false);
});

test('sums many values in the order of numpy', () => {
  // numpy 1.24: np.mean([0.1 * k for k in range(n)]) and its std.
  for (const [n, mean, deviation] of NUMPY) {
    const values = Array.from({ length: n }, (_, k) => 0.1 * k);
    assert.deepEqual(judge(values, 0).details, { mean, deviation, count: n });
  }
});

test('a window of two days keeps what is less than three days old', () => {
  const [hour, now] = [3_600_000, 1_000 * 86_400_000];
  const times = Float64Array.of(now - 80 * hour, now - 71 * hour, now - 48 * hour, now - hour);
  assert.deepEqual(withinWholeDays(times, now, 2), [1, 2, 3]);
  assert.deepEqual(withinWholeDays(times, now, 0), [0, 1, 2, 3]);
});

function shown(details: unknown): readonly string[] {
  const { mean, deviation } = details as { mean: number; deviation: number };
  return [mean, deviation].map((value) => value.toExponential(2));
}

const NUMPY = [
  [7, 0.3, 0.20000000000000004],
  [8, 0.35000000000000003, 0.22912878474779202],
  [13, 0.6000000000000001, 0.37416573867739417],
  [100, 4.95, 2.886607004772212],
  [128, 6.3500000000000005, 3.694928957368463],
  [129, 6.4, 3.7237973450050514],
  [300, 14.95, 8.660205925188308],
  [1000, 49.95, 28.867499025720953],
] as const;
