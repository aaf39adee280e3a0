import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Iterations } from '../../../formats/core/format.ts';
import type { Verdict } from '../../../stats/verdict.ts';
import type { DuetAnalysis, GroupAnalysis } from '../analysis/duet-analysis.ts';
import type { DuetIterations } from '../duet-iterations.ts';
import { duetReport, type ReportFacts } from './duet-report.ts';

const FACTS: ReportFacts = {
  title: 'Duet report',
  generatedAt: '2026-11-16 01:00',
  version: '0.1.0',
  sources: ['results.csv'],
  machine: 'Some CPU, 2 cores',
  command: 'nightmark duet analyze results.csv --html report.html',
};

const OPTIONS: DuetAnalysis['options'] = {
  level: 0.95,
  minEffect: 0.01,
  minOverlap: 0.4,
  warmup: 'steady',
  pairing: 'exact',
  fdr: 0.05,
  seed: 1,
  slowdown: 0,
  compat: false,
};

function group(
  benchmark: string,
  verdict: Verdict,
  effect?: readonly [number, number, number],
): GroupAnalysis {
  const [ratio = 1, low = 1, high = 1] = effect ?? [];
  return {
    environment: 'here',
    suite: 'renaissance',
    benchmark,
    type: 'duet',
    judgement: {
      verdict,
      ...(effect && { effect: { ratio, low, high, level: 0.95 }, p: 0.012 }),
      minEffect: 0.01,
      runs: 3,
      notes: [],
    },
    counts: { runs: 3, iterationsA: 30, iterationsB: 30, warmup: 4, pairs: 26, weakPairs: 2, unpaired: 0 },
    meanA: 2e8,
    meanB: 2.1e8,
    variation: 0.03,
    runs: [0, 1, 2].map((runid) => ({
      runid,
      pairs: 9,
      logRatio: Math.log(ratio) + runid / 100,
      steadyFromA: 2,
      steadyFromB: 2,
    })),
  };
}

function iterations(count: number, shift: number): Iterations {
  const starts = Float64Array.from({ length: count }, (_, index) => index * 2e8 + shift);
  return {
    numbers: Int32Array.from({ length: count }, (_, index) => index),
    starts,
    ends: starts.map((start) => start + 1.9e8),
    times: starts.map(() => 1.9e8),
  };
}

const run = (benchmark: string, count = 10): DuetIterations => ({
  environment: 'here',
  suite: 'renaissance',
  benchmark,
  type: 'duet',
  runid: 0,
  order: 'BA',
  originNs: 1_794_769_700_745_000_000n,
  A: iterations(count, 0),
  B: iterations(count, 5e6),
});

const analysis = (...groups: GroupAnalysis[]): DuetAnalysis => ({ options: OPTIONS, groups, notes: [] });

test('the verdict comes first, what is slower before what is faster, undecided and same', () => {
  const page = duetReport(
    analysis(
      group('calm', 'same', [1, 0.999, 1.001]),
      group('quick', 'faster', [0.9, 0.88, 0.92]),
      group('slow', 'slower', [1.2, 1.1, 1.3]),
    ),
    [],
    FACTS,
  );
  assert.match(page, /<h1>3 comparisons: 1 slower, 1 faster, 1 same within 1 %\.<\/h1>/);
  const places = ['slow', 'quick', 'calm'].map((name) => page.indexOf(`<b>${name}</b>`));
  assert.ok(places.every((place) => place > 0));
  assert.deepEqual(
    [...places].sort((a, b) => a - b),
    places,
  );
  assert.match(page, /1\.200, 95 % interval 1\.100 to 1\.300/);
});

test('names from benchmarks stay text, and the page has no script', () => {
  const name = '<script>alert(1)</script>"\'\u202e\u0007';
  const page = duetReport({ ...analysis(group(name, 'undecided')), notes: [name] }, [run(name)], {
    ...FACTS,
    title: name,
  });
  assert.doesNotMatch(page, /<script/);
  assert.ok(!page.includes('\u202e') && !page.includes('\u0007'));
  assert.match(page, /&#60;script&#62;/);
  assert.match(page, /default-src 'none'/);
});

test('every iteration of both sides is on the timeline, warm-up marked', () => {
  const page = duetReport(analysis(group('one', 'slower', [1.2, 1.1, 1.3])), [run('one')], FACTS);
  assert.equal(page.match(/<rect class="A/g)?.length, 10);
  assert.equal(page.match(/<rect class="B/g)?.length, 10);
  assert.equal(page.match(/warmup" x=/g)?.length, 4);
  assert.match(page, /Run 0, B first/);
});

test('long runs and many comparisons stay small, and what is not drawn is counted', () => {
  const names = Array.from({ length: 100 }, (_, index) => `bench-${index}`);
  const page = duetReport(
    analysis(...names.map((name) => group(name, 'undecided', [1, 0.9, 1.1]))),
    names.flatMap((name) => [run(name, 5000)]),
    FACTS,
  );
  assert.ok(page.length < 4_000_000, String(page.length));
  assert.match(page, /50 have none/);
});

test('odd numbers leave no NaN, undefined or Infinity in the page', () => {
  const cases = [
    analysis(),
    analysis(group('one run', 'undecided')),
    analysis(group('equal', 'same', [1, 1, 1])),
    analysis(group('wild', 'undecided', [1.5, 0, Number.POSITIVE_INFINITY])),
    analysis({ ...group('bare', 'undecided'), runs: [] }),
  ];
  for (const each of cases) {
    const page = duetReport(each, [run('wild', 0), run('equal', 1)], FACTS);
    assert.doesNotMatch(page, /NaN|undefined|Infinity/);
  }
});
