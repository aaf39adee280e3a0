import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  bootstrap,
  bootstrapMean,
  bootstrapMeanDifference,
  bootstrapTwoSamples,
} from '../../src/stats/bootstrap.ts';
import { normalCdf, normalQuantile, studentCdf, studentQuantile } from '../../src/stats/distributions.ts';
import { adjustedPValues } from '../../src/stats/false-discovery.ts';
import {
  hierarchicalDifference,
  hierarchicalMean,
  hierarchicalPairedDifference,
} from '../../src/stats/hierarchical-bootstrap.ts';
import { geometricMean, trimmedMean, winsorizedMean } from '../../src/stats/means.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { mannWhitney, signedRankInterval, signedRankTest } from '../../src/stats/rank-tests.ts';
import {
  medianAbsoluteDeviation,
  medianShift,
  pseudoMedian,
  qnScale,
} from '../../src/stats/robust-estimates.ts';
import { erfc, logBeta } from '../../src/stats/special-functions.ts';
import { mean, median, momentsOf, quantile } from '../../src/stats/summary.ts';
import { equivalenceTest, meanTest, welchTest } from '../../src/stats/t-tests.ts';

interface Spec {
  readonly kind: 'even' | 'skewed' | 'ties' | 'constant';
  readonly n: number;
  readonly seed: number;
  readonly shift: number;
}

type Row = readonly number[];

interface Reference {
  readonly made: string;
  readonly distributions: Readonly<Record<string, readonly Row[]>>;
  readonly one: readonly ({ readonly sample: Spec } & Readonly<Record<string, unknown>>)[];
  readonly two: readonly {
    readonly a: Spec;
    readonly b: Spec;
    readonly welch: Row | null;
    readonly mannWhitney: Row;
    readonly shift: number | null;
  }[];
  readonly bootstrap: readonly {
    readonly statistic: string;
    readonly samples: readonly Spec[];
    readonly level: number;
    readonly seed: number;
    readonly resamples: number;
    readonly percentile: Row;
    readonly bca: Row;
  }[];
  readonly hierarchical: readonly {
    readonly name: string;
    readonly a: readonly Spec[];
    readonly b: readonly Spec[];
    readonly seed: number;
    readonly resamples: number;
    readonly level: number;
    readonly limits: Row;
  }[];
  readonly falseDiscovery: readonly (readonly [Row, Row])[];
}

const reference = JSON.parse(readFileSync('test/golden/stats/scipy.json', 'utf8')) as Reference;

/** The numbers of `sample` in scripts/reference/scipy-stats.py. */
function sample({ kind, n, seed, shift }: Spec): Float64Array {
  const random = seededRandom(seed);
  const make = {
    even: (u: number) => u,
    skewed: (u: number) => 1 + (u * u) / (1.0625 - u),
    ties: (u: number) => Math.floor(u * 6),
    constant: () => 0.1,
  }[kind];
  return Float64Array.from({ length: n }, () => make(random()) + shift);
}

/** Relative 1e-9; around 0 relative to `scale`, since a difference of sums has only their digits. */
function same(actual: unknown, expected: unknown, { what, scale = 0 }: { what: string; scale?: number }) {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual) && actual.length === expected.length, what);
    expected.forEach((value, index) => {
      same((actual as unknown[])[index], value, { what: `${what} [${index}]`, scale });
    });
    return;
  }
  assert.ok(
    typeof actual === 'number' && typeof expected === 'number',
    `${what}: ${actual}, not ${expected}`,
  );
  const slack = 1e-9 * Math.abs(expected) + 1e-15 * scale;
  assert.ok(Math.abs(actual - expected) <= slack, `${what}: ${actual}, not ${expected} (${reference.made})`);
}

const named = ({ kind, n, seed }: Spec) => `${n} ${kind} values of seed ${seed}`;

test('distributions agree with SciPy', () => {
  const functions: Readonly<Record<string, (...values: number[]) => number>> = {
    normalCdf: (z = 0) => normalCdf(z),
    normalQuantile: (p = 0) => normalQuantile(p),
    studentCdf: (t = 0, df = 1) => studentCdf(t, df),
    studentQuantile: (p = 0, df = 1) => studentQuantile(p, df),
    logBeta: (a = 1, b = 1) => logBeta(a, b),
    erfc: (x = 0) => erfc(x),
  };
  assert.deepEqual(Object.keys(reference.distributions), Object.keys(functions));
  for (const [name, rows] of Object.entries(reference.distributions)) {
    for (const row of rows) {
      const given = row.slice(0, -1);
      same(functions[name]?.(...given), row.at(-1), { what: `${name}(${given})` });
    }
  }
});

for (const { sample: spec, ...expected } of reference.one) {
  test(`one sample agrees with SciPy: ${named(spec)}`, () => {
    const values = sample(spec);
    const t = meanTest(values, { level: 0.99 });
    const equivalence = equivalenceTest(values, 0.25);
    const ranks = signedRankTest(values);
    const interval = signedRankInterval(values, 0.95);
    const actual: Readonly<Record<string, unknown>> = {
      mean: mean(values),
      median: median(values),
      quantiles: (expected['quantiles'] as Row[]).map(([p = 0]) => [p, quantile(values, p)]),
      deviation: momentsOf(values).deviation,
      mad: medianAbsoluteDeviation(values),
      qn: qnScale(values),
      trimmed: trimmedMean(values, 0.2),
      winsorized: winsorizedMean(values, 0.2),
      geometric: geometricMean(values.map((value) => Math.abs(value) + 1)),
      t: [t.t, t.p, t.low, t.high],
      equivalence: [equivalence.pBelow, equivalence.pAbove],
      wilcoxon: [ranks.w, ranks.p],
      pseudoMedian: pseudoMedian(values),
      pseudoMedianInterval: [interval.low, interval.high, interval.level],
    };
    assert.deepEqual(Object.keys(expected), Object.keys(actual));
    const scale = Math.max(...values.map(Math.abs));
    for (const [name, value] of Object.entries(expected)) {
      if (value !== null) same(actual[name], value, { what: name, scale });
    }
    assert.equal(equivalence.p, Math.max(equivalence.pBelow, equivalence.pAbove));
  });
}

for (const { a, b, ...expected } of reference.two) {
  test(`two samples agree with SciPy: ${named(a)}, ${named(b)}`, () => {
    const [valuesA, valuesB] = [sample(a), sample(b)];
    const { t, df, p, low, high } = welchTest(valuesA, valuesB, { level: 0.95 });
    if (expected.welch !== null) same([t, df, p, low, high], expected.welch, { what: 'Welch' });
    const ranks = mannWhitney(valuesA, valuesB);
    same([ranks.u, ranks.p], expected.mannWhitney, { what: 'Mann-Whitney' });
    if (expected.shift !== null)
      same(medianShift(valuesA, valuesB), expected.shift, { what: 'shift', scale: 10 });
  });
}

for (const { statistic, samples, percentile, bca, seed, ...rest } of reference.bootstrap) {
  test(`with the same resamples the bootstrap agrees with SciPy: ${statistic}, ${samples.map(named)}`, () => {
    const [a, b = a] = samples.map(sample) as [Float64Array, Float64Array?];
    for (const [method, limits] of Object.entries({ percentile, bca })) {
      const options = () => ({ ...rest, random: seededRandom(seed), method: method as 'percentile' | 'bca' });
      const ways = {
        mean: [() => bootstrapMean(a, options()), () => bootstrap(a, mean, options())],
        median: [() => bootstrap(a, median, options())],
        difference: [
          () => bootstrapMeanDifference({ a, b }, options()),
          () => bootstrapTwoSamples({ a, b }, (x, y) => mean(x) - mean(y), options()),
        ],
        ratioOfMedians: [() => bootstrapTwoSamples({ a, b }, (x, y) => median(x) / median(y), options())],
      }[statistic];
      for (const way of ways ?? [assert.fail]) {
        const { low, high, level } = way();
        same([low, high, level], [...limits, rest.level], { what: method, scale: 10 });
      }
    }
  });
}

for (const { name, limits, seed, ...rest } of reference.hierarchical) {
  test(`the hierarchical bootstrap agrees with its plain form in numpy: ${name}`, () => {
    const [a, b] = [rest.a.map(sample), rest.b.map(sample)];
    const options = { level: rest.level, resamples: rest.resamples, random: seededRandom(seed) };
    const way = {
      mean: () => hierarchicalMean(a, options),
      difference: () => hierarchicalDifference({ a, b }, options),
      pairedDifference: () => hierarchicalPairedDifference({ a, b }, options),
    }[name];
    const { low, high } = (way ?? assert.fail)();
    same([low, high], limits, { what: name, scale: 10 });
  });
}

test('corrected p values agree with SciPy', () => {
  for (const [given, expected] of reference.falseDiscovery) {
    same(adjustedPValues(given), expected, { what: 'Benjamini-Hochberg' });
  }
});
