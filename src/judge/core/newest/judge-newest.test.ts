import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { judgeNewest } from './judge-newest.ts';

const STEADY = [100, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.9, 99.3, 100.1];
const judge = (
  history: readonly number[],
  newest: readonly number[],
  better: 'lower' | 'higher' | 'unknown' = 'lower',
) => judgeNewest({ history: Float64Array.from(history), newest: Float64Array.from(newest), better });

test('says slower, faster or changed by the direction that is good', () => {
  assert.equal(judge(STEADY, [120]).verdict, 'slower');
  assert.equal(judge(STEADY, [80]).verdict, 'faster');
  assert.equal(judge(STEADY, [120], 'higher').verdict, 'faster');
  assert.equal(judge(STEADY, [120], 'unknown').verdict, 'changed');
});

test('gives the shift with an interval that agrees with p', () => {
  const { shift, p, isProvisional } = judge(STEADY, [110]);
  assert.ok(shift?.relative !== undefined && p !== undefined && p < 0.01);
  assert.ok(Math.abs(shift.relative.change - 0.0997) < 0.001, `${shift.relative.change}`);
  assert.ok(shift.relative.low > 0.05 && shift.relative.high < 0.15);
  assert.equal(shift.level, 0.99);
  assert.equal(isProvisional, true);
});

test('three earlier values show a shift of a fifth, but not what their noise may be', () => {
  assert.equal(judge([100, 101, 99], [120]).verdict, 'slower');
  const small = judge([100, 101, 99], [104]);
  assert.equal(small.verdict, 'undecided');
  assert.match(small.notes.join(), /cannot be distinguished from the noise yet/);
});

test('one far value of a quiet series is rare, but not as rare as a normal distribution has it', () => {
  const long = Array.from({ length: 60 }, (_, night) => STEADY[night % STEADY.length] ?? 100);
  const { p = 0 } = judge(long, [130]);
  assert.ok(p > 1e-5 && p < 0.005, `${p}`);
});

test('fewer than three earlier values, or no new one, are not judged', () => {
  assert.deepEqual(judge([1, 2], [3]).notes, ['2 earlier values: at least 3 are needed.']);
  assert.deepEqual(judge(STEADY, [Number.NaN]).notes, ['There is no new value.']);
  assert.equal(judge([1, Number.NaN, 2], [3]).p, undefined);
});

test('an outlier in the history hides no shift, and one like it is no news', () => {
  const history = [...STEADY, 140, ...STEADY];
  assert.equal(judge(history, [120, 121, 119]).verdict, 'slower');
  const again = judge(history, [139]);
  assert.equal(again.verdict, 'undecided');
  assert.deepEqual(judge(history, [140]).notes[0], '1 of the earlier values lies as far out.');
});

test('one of three new values may be an outlier', () => {
  assert.notEqual(judge(STEADY, [100.3, 150, 99.9]).verdict, 'slower');
  assert.equal(judge(STEADY, [106, 150, 106]).isProvisional, false);
});

test('same is a claim that a quiet series can make', () => {
  const quiet = STEADY.map((value) => 100 + (value - 100) / 20);
  assert.equal(judge(quiet, [100.02]).verdict, 'same');
  assert.equal(judge(STEADY, [100.02]).verdict, 'undecided');
});

test('a counter that never varied has changed when it does, but not by its last digit', () => {
  assert.equal(judge([81234, 81234, 81234], [82234]).verdict, 'slower');
  assert.equal(judge([12, 12, 12], [13]).verdict, 'undecided');
  assert.equal(judge(Array(150).fill(12), [13]).verdict, 'slower');
  assert.equal(judge([12, 12, 12], [12]).p, 1);
});

test('zeros, negative and enormous values are judged without a ratio or not at all', () => {
  assert.equal(judge([0, 0, 0, 0], [0]).p, 1);
  assert.equal(judge([0, 0, 0, 0], [50]).verdict, 'slower');
  assert.equal(judge([-100, -101, -99, -100], [-150]).verdict, 'faster');
  for (const history of [
    [1e308, -1e308, 1],
    [5e-324, 1e308, 1],
    [1, 1e-300, 1e300],
  ]) {
    const { p, shift } = judge(history, [1e308]);
    assert.ok([shift?.difference, shift?.low, shift?.high].every(Number.isFinite));
    assert.ok(p !== undefined && p >= 0 && p <= 1, `${history}: ${p}`);
  }
});

test('two modes are noise, not news', () => {
  const modes = Array.from({ length: 40 }, (_, night) => (night % 3 === 0 ? 110 : 100) + (night % 5) / 10);
  assert.equal(judge(modes, [110.3]).verdict, 'undecided');
  assert.equal(judge(modes, [150]).verdict, 'slower');
});

test('does not depend on the unit, and mirrors where the ratio is mirrored', () => {
  // As a clock gives them: a value with few digits may have been rounded, and that does depend on the unit.
  const value = fc.double({ min: 50, max: 150, noNaN: true }).map((one) => (one * Math.PI) / 3);
  fc.assert(
    fc.property(fc.array(value, { minLength: 3, maxLength: 20 }), value, (history, newest) => {
      const plain = judge(history, [newest]);
      const scaled = judge(
        history.map((one) => one * 1024),
        [newest * 1024],
      );
      assert.equal(scaled.verdict, plain.verdict);
      assert.ok(Math.abs((scaled.p ?? 0) - (plain.p ?? 0)) < 1e-6);
      const inverse = judge(
        history.map((one) => 1 / one),
        [1 / newest],
        'higher',
      );
      assert.ok(Math.abs((inverse.p ?? 0) - (plain.p ?? 0)) < 1e-6);
    }),
    { seed: 5, numRuns: 200 },
  );
});

test('three or four steady values raise at most 1.6 % alarms, and a fifth more is seen in most', () => {
  const random = seededRandom(11);
  const draw = () => 1 + 0.025 * normalQuantile(Math.max(1e-12, random()));
  for (const count of [3, 4]) {
    const [rounds, seen] = [1500, { alarms: 0, found: 0 }];
    for (let round = 0; round < rounds; round++) {
      const history = Array.from({ length: count }, draw);
      const newest = draw();
      if (judge(history, [newest]).verdict !== 'undecided') seen.alarms++;
      if (judge(history, [newest * 1.2]).verdict === 'slower') seen.found++;
    }
    assert.ok(seen.alarms / rounds <= 0.016, `${seen.alarms} alarms of ${rounds}`);
    assert.ok(seen.found / rounds > 0.5, `${seen.found} found of ${rounds}`);
  }
});
