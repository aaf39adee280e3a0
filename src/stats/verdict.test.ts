import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixedCells, lookCells } from '../../bench/accuracy/cells.ts';
import { HEAVY, LIGHT } from '../../bench/accuracy/noise.ts';
import { correctJudgements, judgeLogRatios, judgeUnpaired } from './verdict.ts';

const options = { level: 0.95, minEffect: 0.01 };
const judge = (ratios: readonly number[], more = {}) =>
  judgeLogRatios(Float64Array.from(ratios, Math.log), { ...options, ...more });

const slower = [1.031, 1.027, 1.04, 1.022, 1.035, 1.029, 1.018, 1.033, 1.026, 1.038];

test('an interval above 1 is slower, its mirror image faster', () => {
  const judgement = judge(slower);
  assert.equal(judgement.verdict, 'slower');
  assert.equal(judgement.runs, 10);
  assert.equal(judgement.p, 2 / 1024);
  const mirror = judge(slower.map((ratio) => 1 / ratio));
  assert.equal(mirror.verdict, 'faster');
  near(mirror.effect?.low, 1 / (judgement.effect?.high ?? 0));
  near(mirror.effect?.ratio, 1 / (judgement.effect?.ratio ?? 0));
});

test('from ten runs on centre and limits are those of signed ranks', () => {
  // Hodges-Lehmann 0.02950, the 9th smallest and largest of 55 Walsh averages: 2 P(W <= 8) = 0.0488.
  const values = slower.map((ratio) => Math.log(ratio));
  const averages = values.flatMap((one, index) => values.slice(index).map((other) => (one + other) / 2));
  averages.sort((a, b) => a - b);
  const { effect } = judge(slower);
  near(effect?.low, Math.exp(averages[8] ?? 0));
  near(effect?.high, Math.exp(averages[46] ?? 0));
  near(effect?.ratio, Math.exp(averages[27] ?? 0));
});

test('with fewer runs the limits are those of Student, and the estimate is the same: the pseudo-median', () => {
  // scipy.stats.t.interval(0.95, 3, loc=mean, scale=sem) of the logarithms; the median of their 10 Walsh averages.
  const { effect, p, verdict, estimand } = judge([1.01, 1.03, 1.02, 1.05], { minEffect: 0 });
  const logs = [1.01, 1.02, 1.03, 1.05].map(Math.log) as [number, number, number, number];
  // Sorted, the 5th and 6th averages are (1.02, 1.03) and 1.03 with 1.01 and 1.05 beside them.
  const averages = logs
    .flatMap((one, index) => logs.slice(index).map((other) => (one + other) / 2))
    .sort((a, b) => a - b);
  near(effect?.ratio, Math.exp(((averages[4] ?? 0) + (averages[5] ?? 0)) / 2));
  near(effect?.low, 1.000656651245, 1e-9);
  near(effect?.high, 1.054845727668, 1e-9);
  near(p, 0.04707210879593, 1e-9);
  assert.deepEqual([verdict, estimand], ['slower', 'pseudo-median']);
  assert.equal(judge(slower).estimand, 'pseudo-median');
});

test('a difference is a verdict only when its whole interval lies beyond the smallest effect of interest', () => {
  // Ratio 1.0275, interval 1.0007 to 1.0548.
  const likely = judge([1.01, 1.03, 1.02, 1.05]);
  assert.deepEqual([likely.verdict, likely.likely], ['undecided', 'slower']);
  assert.match(
    likely.notes[0] ?? '',
    /There is a difference \(ratio 1\.0\d+\), likely but not surely beyond/,
  );
  const mirror = judge([1.01, 1.03, 1.02, 1.05].map((ratio) => 1 / ratio));
  assert.deepEqual([mirror.verdict, mirror.likely], ['undecided', 'faster']);
  // About +0.75 % from 0.1 to 1.4 %: there is a difference, but it is hardly one of interest.
  const spread = [-0.009, 0.009, -0.006, 0.006, -0.003, 0.003, -0.011, 0.011, -0.007, 0.007];
  const small = judgeLogRatios(
    Float64Array.from(spread, (value) => 0.0075 + value),
    options,
  );
  assert.deepEqual([small.verdict, small.likely], ['undecided', undefined]);
  assert.ok((small.effect?.low ?? 0) > 1 && (small.effect?.high ?? 0) > 1.01);
  assert.match(small.notes[0] ?? '', /There is a difference \(ratio 1\.0075\), but hardly one beyond/);
});

test('an interval within the smallest effect is the same, and says so when there is a difference', () => {
  const near1 = [1.001, 0.999, 1.002, 0.998, 1.0005, 0.9985, 1.0015, 0.9995, 1.0002, 0.9991];
  assert.deepEqual(judge(near1), { ...judge(near1), verdict: 'same', notes: [] });
  const little = judge(near1.map((ratio) => ratio + 0.004));
  assert.equal(little.verdict, 'same');
  assert.match(little.notes.join(), /difference \(ratio 1\.0040\), but a smaller one/);
  assert.equal(judge(near1, { minEffect: 0 }).verdict, 'undecided');
});

test('equivalence is judged by both one-sided tests, not by the wider interval', () => {
  const ratios = [1.004, 0.996, 1.0072, 0.9944, 1.0105, 0.9975, 1.012, 0.9995, 1.0102, 1.0081];
  const judgement = judge(ratios, { minEffect: 0.009 });
  assert.ok((judgement.effect?.high ?? 0) > 1.009);
  assert.equal(judgement.verdict, 'same');
});

test('fewer than two runs decide nothing, and two are taken with a grain of salt', () => {
  assert.deepEqual(judge([1.5]).notes, ['One run has no spread: at least two are needed.']);
  assert.equal(judge([]).effect, undefined);
  assert.match(
    judge([1.5, 1.6]).notes.join(),
    /With 2 runs the answer holds only if the noise is normal\. Use 6 or more runs\./,
  );
});

test('runs that all agree decide once tosses of a coin would seldom do so', () => {
  const five = judge([1.1, 1.1, 1.1, 1.1, 1.1]);
  assert.equal(five.verdict, 'undecided');
  assert.match(five.notes.join(), /6 runs that agree would decide/);
  const six = judge(new Array(6).fill(1.1));
  assert.equal(six.verdict, 'slower');
  assert.equal(six.p, 1 / 32);
  assert.equal(judge(new Array(12).fill(1)).verdict, 'same');
  assert.equal(judge(new Array(12).fill(1)).p, 1);
});

test('one run far outside is named and does not carry the verdict away', () => {
  const ratios = slower.with(3, 40);
  const judgement = judge(ratios);
  assert.equal(judgement.verdict, 'slower');
  assert.ok((judgement.effect?.ratio ?? 9) < 1.04);
  assert.match(judgement.notes.join(), /Run 4 lies far outside the others \(run 4: ratio 40\.0\)/);
});

test('runs that follow their neighbours count as fewer', () => {
  const drift = Array.from({ length: 20 }, (_, run) => 1.01 + Math.sin(run / 3) / 100);
  const judgement = judge(drift);
  assert.match(
    judgement.notes.join(),
    /Neighbouring runs resemble each other \(correlation 0\.80\): 20 of them count like 3, and the interval is wider/,
  );
  const alternating = [
    ...drift.filter((_, run) => run % 2 === 0),
    ...drift.filter((_, run) => run % 2 === 1),
  ];
  const shuffled = judge(alternating.map((_, run) => alternating[(run * 7) % 20] ?? 1));
  assert.equal(shuffled.correlation, undefined);
  const width = ({ effect }: typeof judgement) => Math.log((effect?.high ?? 0) / (effect?.low ?? 1));
  assert.ok(width(judgement) > 3 * width(shuffled), `${width(judgement)} ${width(shuffled)}`);
  const [p, isOut] = [judgement.p ?? 1, (judgement.effect?.low ?? 0) > 1];
  assert.equal(p <= 0.05, isOut);
});

test('p is at most alpha exactly when the interval leaves out 1, also with ties and zeros', () => {
  // Parts of powers of two, so that sums are exact and ties stay ties.
  const values = [0, 0, 1, 1, -1, 2, 2, 3, 3, 4, 4].map((value) => value / 64);
  for (let shift = -0.0625; shift <= 0.0625; shift += 1 / 128) {
    const { p, effect } = judgeLogRatios(
      Float64Array.from(values, (value) => value + shift),
      options,
    );
    const isOut = (effect?.low ?? 0) > 1 || (effect?.high ?? 0) < 1;
    assert.equal((p ?? 1) <= 0.05, isOut, `shifted by ${shift}: p ${p}`);
  }
});

test('what is no number is refused with its run', () => {
  const ratios = Float64Array.of(0, Number.NaN, 0);
  assert.throws(() => judgeLogRatios(ratios, options), { code: 'STATS_NOT_FINITE', message: /2/ });
  assert.throws(() => judge(slower, { level: 95 }), { code: 'STATS_LEVEL' });
  assert.throws(() => judge(slower, { minEffect: -0.01 }), { code: 'STATS_MIN_EFFECT' });
});

// Bands are four standard errors of 600 repetitions wide; bench/accuracy.ts is the strict form.
for (const noise of [LIGHT, HEAVY]) {
  test(`rates hold in simulated duets with ${noise.tails} tails`, () => {
    const [none, , one] = fixedCells({ noise, runs: 10, iterations: 30 }, { repetitions: 600, seed: 5 });
    within(none?.differs, 0.015, 0.085);
    within(one?.covered, 0.915, 0.985);
    within(one?.differs, 0.8, 1);
    const early = { repetitions: 300, seed: 6, minEffect: 0 };
    const [still, , , two] = lookCells({ noise, runs: 30, iterations: 5 }, early);
    within(still?.decided, 0.005, 0.1);
    within((two?.runs ?? 30) / 30, 0.2, 0.4);
  });
}

function near(actual: number | undefined, expected: number, tolerance = 1e-12): void {
  assert.ok(Math.abs((actual ?? Number.NaN) / expected - 1) <= tolerance, `${actual} is not ${expected}`);
}

function within(actual: number | undefined, low: number, high: number): void {
  assert.ok(actual !== undefined && actual >= low && actual <= high, `${actual} is not in ${low} to ${high}`);
}

const logs = (...times: number[]) => Float64Array.from(times, Math.log);
const A = logs(10.1, 10.4, 9.9, 10.2, 10, 10.3);
const B = logs(10.6, 10.9, 10.5, 11, 10.7);
const OPTIONS = { level: 0.95, minEffect: 0.01 };

function isNear(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs((actual ?? 0) / expected - 1) < 1e-9, `${actual} is not ${expected}`);
}

test('ratio, interval and p are those of a Welch test of the logarithms (SciPy 1.10)', () => {
  const { verdict, effect, p, runs } = judgeUnpaired(A, B, OPTIONS);
  assert.deepEqual([verdict, runs], ['slower', 5]);
  isNear(effect?.ratio, 1.0581203680772744);
  isNear(effect?.low, 1.0308209149868446);
  isNear(effect?.high, 1.0861427984843277);
  isNear(p, 0.0009625089331692936);
});

test('the other way round is the inverse', () => {
  const { verdict, effect } = judgeUnpaired(B, A, OPTIONS);
  assert.equal(verdict, 'faster');
  isNear(effect?.high, 1 / 1.0308209149868446);
});

test('within the smallest effect of interest is the same', () => {
  assert.equal(judgeUnpaired(A, A, { level: 0.95, minEffect: 0.05 }).verdict, 'same');
});

test('sides in which neighbours are alike have a wider interval, also when only earlier runs show it', () => {
  const wave = (from: number) =>
    Float64Array.from({ length: 15 }, (_, run) => Math.sin((from + run) / 3) / 100);
  const { correlation, effect, notes } = judgeUnpaired(wave(0), wave(40), OPTIONS);
  assert.equal(correlation?.toFixed(2), '0.73');
  assert.match(notes.join(), /Neighbouring runs resemble each other/);
  const calm = judgeUnpaired(wave(0).sort(byTurns), wave(40).sort(byTurns), OPTIONS);
  assert.equal(calm.correlation, undefined);
  assert.ok(
    (effect?.high ?? 0) - (effect?.low ?? 0) > 2 * ((calm.effect?.high ?? 0) - (calm.effect?.low ?? 0)),
  );
});

/** Any order in which neighbours are not alike. */
const byTurns = (a: number, b: number) => Math.sin(1e6 * a) - Math.sin(1e6 * b);

test('of many comparisons, what may be chance is undecided, and not likely any more', () => {
  const sure = judge(slower);
  const likely = judge([1.01, 1.03, 1.02, 1.05]);
  const none = judge([1.01, 0.99, 1.02, 0.98]);
  const corrected = correctJudgements([sure, likely, none, none, none, none], 0.05);
  assert.deepEqual(
    corrected.map(({ judgement }) => [judgement.verdict, judgement.likely]),
    [['slower', undefined], ...Array.from({ length: 5 }, () => ['undecided', undefined])],
  );
  assert.match(corrected[1]?.heldBack ?? '', /called likely slower; among 6 comparisons/);
  assert.equal(correctJudgements([sure, likely], 0.05)[1]?.judgement.likely, 'slower');
});

test('one run a side decides nothing', () => {
  const { verdict, notes } = judgeUnpaired(logs(1), logs(2), OPTIONS);
  assert.equal(verdict, 'undecided');
  assert.equal(notes.length, 1);
});
