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
