import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalSource } from '../../bench/accuracy/normal.ts';
import { seededRandom } from './random.ts';
import { FIRST_SIGN, independentRuns, runCorrelation, varianceOfMean, widening } from './run-correlation.ts';

const normal = normalSource(seededRandom(4));

function series(length: number, rho: number): Float64Array {
  const values = new Float64Array(length);
  for (let at = 0; at < length; at++) {
    const before = at === 0 ? normal.next() : (values[at - 1] ?? 0);
    values[at] = rho * before + Math.sqrt(1 - rho * rho) * normal.next();
  }
  return values;
}

test('independent runs show none, but for one comparison in twenty', () => {
  const seen = Array.from({ length: 2000 }, () => runCorrelation([series(30, 0)])).filter((it) => it > 0);
  assert.ok(seen.length > 60 && seen.length < 140, `${seen.length} of 2000`);
});

test('what is there is found, and its size is right in the middle', () => {
  const found = Array.from({ length: 500 }, () => runCorrelation([series(100, 0.6)])).sort((a, b) => a - b);
  assert.equal(found.filter((it) => it === 0).length, 0);
  const middle = found[250] ?? 0;
  assert.ok(Math.abs(middle - 0.58) < 0.04, `${middle}`);
});

test('segments are taken together, and a few runs show nothing', () => {
  const segments = Array.from({ length: 6 }, () => series(10, 0.8));
  assert.ok(runCorrelation(segments) > 0.3);
  assert.equal(runCorrelation([Float64Array.of(1, 2, 3, 4)]), 0);
  assert.equal(runCorrelation([]), 0);
});

test('one value far out, or equal values of a coarse clock, do not decide', () => {
  const wave = Float64Array.from({ length: 20 }, (_, run) => Math.sin(run / 3));
  assert.ok(runCorrelation([wave.with(7, 1e6)]) > 0.3);
  assert.equal(runCorrelation([Float64Array.from({ length: 20 }, (_, run) => (run * 7) % 2)]), 0);
  assert.equal(runCorrelation([new Float64Array(20).fill(3)]), 0);
});

test('a first sign is enough where more runs can follow', () => {
  const weak = Float64Array.of(1, 2, 4, 3, 5, 4, 2, 1, 0, 3, 6, 5, 2, 3, 1);
  assert.equal(runCorrelation([weak]), 0);
  assert.ok(runCorrelation([weak], FIRST_SIGN) > 0);
});

test('the mean of correlated runs varies like that of fewer', () => {
  // (1 + 2 (2/3 rho + 1/3 rho^2)) / 3 for three values.
  assert.ok(Math.abs(varianceOfMean(3, 0.5) - (1 + 2 * ((2 / 3) * 0.5 + (1 / 3) * 0.25)) / 3) < 1e-12);
  assert.equal(varianceOfMean(8, 0), 1 / 8);
  assert.ok(Math.abs(independentRuns(1000, 0.6) - 250) < 2);
  assert.equal(widening(20, 0, 0.05), 1);
  assert.ok(Math.abs(widening(100_000, 0.6, 0.05) - 2) < 0.01);
  assert.ok(widening(20, 0.6, 0.05) > 2.2);
});
