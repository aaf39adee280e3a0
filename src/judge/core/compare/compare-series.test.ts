import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../stats/random.ts';
import { COMPARE_DEFAULTS, compareSeries, type SeriesSides } from './compare-series.ts';
import { answerText, basisText, rowEffectText } from './compare-text.ts';
import { countRows } from './compared-row.ts';

const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

interface Shape {
  readonly runs?: readonly [base: number, head: number];
  readonly ratio?: number;
  readonly noise?: number;
  readonly past?: number;
}

function simulated(count: number, { runs = [1, 1], ratio = 1, noise = 0.02, past = 20 }: Shape, seed = 1) {
  const random = seededRandom(seed);
  const values = (length: number, level: number) =>
    Float64Array.from({ length }, () => level * Math.exp(noise * normal(random)));
  return Array.from({ length: count }, (_, number): SeriesSides => {
    return {
      ...sides([], [], `case ${number}`),
      base: values(runs[0], 10),
      head: values(runs[1], 10 * ratio),
      past: [values(past, 10)],
    };
  });
}

function sides(base: readonly number[], head: readonly number[], name = 'a'): SeriesSides {
  return {
    series: { experiment: 'sort', path: ['cpu', name], unit: 's', better: 'lower' },
    base: Float64Array.from(base),
    head: Float64Array.from(head),
    past: [],
    hasFailed: false,
  };
}

const compare = (all: readonly SeriesSides[]) => compareSeries(all, COMPARE_DEFAULTS);

for (const runs of [
  [1, 1],
  [3, 2],
  [8, 6],
] as const) {
  test(`${runs.join(' and ')} runs: an interval of 95 % holds the true change about that often`, () => {
    const rows = compare(simulated(800, { runs, ratio: 1.05 }));
    const holding = rows.filter(({ shift }) => {
      const { low = 1, high = -1 } = shift?.relative ?? {};
      return low <= 0.05 && high >= 0.05;
    });
    assert.ok(holding.length > 0.92 * 800 && holding.length < 0.99 * 800, `${holding.length} of 800`);
  });
}

test('among two thousand series in which nothing changed hardly any is reported, and real ones are', () => {
  const still = countRows(compare(simulated(2000, {}, 2)));
  assert.ok(still.slower + still.faster <= 2, answerText(still));
  assert.ok(still.heldBack > 0, 'some look changed by chance');
  const some = [
    ...simulated(500, {}, 3),
    ...simulated(20, { ratio: 1.3 }, 4),
    ...simulated(20, { ratio: 0.75 }, 5),
  ];
  const rows = compare(some);
  const counts = countRows(rows);
  assert.ok(counts.slower >= 18 && counts.slower <= 22, answerText(counts));
  assert.ok(counts.faster >= 18 && counts.faster <= 22, answerText(counts));
  assert.ok(rows.slice(0, 36).every(({ verdict }) => verdict === 'slower' || verdict === 'faster'));
});

test('quiet series are the same within the smallest effect of interest', () => {
  const counts = countRows(compare(simulated(50, { noise: 0.0005 })));
  assert.equal(counts.same, 50);
});

test('without a past one run a side decides nothing, whatever the difference', () => {
  const [row] = compare([sides([10], [20])]);
  assert.equal(row?.verdict, 'undecided');
  assert.equal(row?.shift, undefined);
  assert.equal(rowEffectText(row ?? assert.fail()), '+100 % (no interval)');
  assert.match(basisText(row), /^The noise is unknown/);
});

test('a step that the past had before may come again by chance', () => {
  const jumping = { ...sides([10], [12]), past: [Float64Array.of(10, 12, 10, 10, 12, 10, 10, 10, 12, 10)] };
  assert.equal(compare([jumping])[0]?.verdict, 'undecided');
  const steady = {
    ...sides([10], [12]),
    past: [Float64Array.of(10, 10, 10.1, 10, 10, 10.1, 10, 9.9, 10, 10)],
  };
  assert.equal(compare([steady])[0]?.verdict, 'slower');
});

test('one side alone is new, gone or failed, and a value of unknown direction has changed', () => {
  const failed = { ...sides([10], [], 'f'), hasFailed: true };
  const base = sides([], []);
  const unknown: SeriesSides = {
    ...{ ...base, series: { ...base.series, better: 'unknown', path: ['u'] } },
    base: Float64Array.of(-5, -5.1, -5, -4.9, -5),
    head: Float64Array.of(-9, -9.1, -9, -8.9, -9),
  };
  const rows = compare([sides([], [1], 'n'), sides([1], [], 'g'), failed, unknown]);
  assert.deepEqual(
    rows.map(({ verdict }) => verdict),
    ['failed', 'changed', 'gone', 'new'],
  );
  assert.equal(answerText(countRows(rows)), '1 failed in head, 1 changed, 1 only in base, 1 only in head');
  assert.match(rowEffectText(rows[1] ?? assert.fail()), /^-80\.0 % \(-8\d\.\d to -7\d\.\d\)$/);
});

test('a rate that falls is slower, and zeros do not divide', () => {
  const rate: SeriesSides = {
    ...sides([100, 101, 99, 100, 100], [80, 81, 79, 80, 80]),
    series: { experiment: 'a', path: ['rate'], unit: 'ops/s', better: 'higher' },
  };
  assert.equal(compare([rate])[0]?.verdict, 'slower');
  const zeros = { ...sides([0], [0]), past: [new Float64Array(20)] };
  const [row] = compare([zeros]);
  assert.ok(row?.verdict === 'same' || row?.verdict === 'undecided');
  assert.equal(row?.shift?.difference, 0);
});

test('a difference is reported only when its whole interval lies beyond the smallest effect of interest', () => {
  // +2 % with an interval of about 1.1 % to 2.9 %.
  const near = sides([100, 101, 99, 100.5, 99.5, 100], [102, 103, 101, 102.5, 101.5, 102]);
  const compareAt = (minEffect: number) => compareSeries([near], { ...COMPARE_DEFAULTS, minEffect })[0];
  const row = compareAt(0.015) ?? assert.fail();
  assert.deepEqual([row.verdict, row.likely, row.estimand], ['undecided', 'slower', 'mean']);
  assert.equal(answerText(countRows([row])), '1 undecided (1 likely slower)');
  assert.match(
    basisText(row),
    /not certain that they differ by more than the smallest effect of interest\.$/,
  );
  assert.equal(compareAt(0.01)?.verdict, 'slower');
  assert.deepEqual([compareAt(0.025)?.verdict, compareAt(0.025)?.likely], ['undecided', undefined]);
  assert.equal(compareAt(0.05)?.verdict, 'same');
});

test('runs that resemble their neighbours, as earlier runs show, widen the interval', () => {
  const wave = (length: number, from: number) =>
    Float64Array.from({ length }, (_, run) => 100 * Math.exp(Math.sin((from + run) / 3) / 50));
  const given = { ...sides([], []), base: wave(6, 20), head: wave(6, 29) };
  const width = (past: readonly Float64Array[]) => {
    const [row] = compare([{ ...given, past }]);
    const { low = 0, high = 0 } = row?.shift?.relative ?? {};
    return { width: high - low, correlation: row?.correlation };
  };
  const alone = width([]);
  const informed = width([wave(20, 0)]);
  assert.ok((informed.correlation ?? 0) > 0.5, String(informed.correlation));
  assert.ok(informed.width > alone.width * 1.3, `${informed.width} ${alone.width}`);
});
