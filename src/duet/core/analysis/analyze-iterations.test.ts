import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseIterationCsv } from '../../../../test/support/iteration-csv.ts';
import { simulateDuets } from '../../../../test/support/simulated-duets.ts';
import { type DuetIterations, labelEnvironments } from '../duet-iterations.ts';
import { analyzeIterations } from './analyze-iterations.ts';
import type { AnalysisOptions, DuetAnalysis } from './duet-analysis.ts';

const options: AnalysisOptions = {
  level: 0.95,
  minEffect: 0.01,
  minOverlap: 0,
  warmup: 'steady',
  pairing: 'exact',
  fdr: 0.05,
  seed: 1,
  slowdown: 0,
  compat: false,
};
const compat: AnalysisOptions = {
  ...options,
  minOverlap: 0.4,
  warmup: 'half',
  pairing: 'sweep',
  compat: true,
};
const only = ({ groups }: DuetAnalysis) => {
  assert.equal(groups.length, 1);
  return groups[0] ?? assert.fail();
};
const near = (actual: number | undefined, expected: number, relative: number) => {
  const off = Math.abs((actual ?? Number.NaN) - expected);
  assert.ok(off <= relative * Math.abs(expected), `${actual} is not ${expected}`);
};

interface Expected {
  readonly pairs: number;
  readonly run_means: readonly number[];
  readonly grand_mean: number;
  readonly variation: number;
  readonly u_test_p: number;
  readonly bca?: readonly [number, number];
  readonly icpe?: number;
  readonly icpe_limits?: readonly [number, number];
}

test('under --compat the numbers are those of pandas and SciPy', () => {
  const runs = parseIterationCsv(readFileSync('test/golden/duet/simulated.csv', 'utf8'));
  const { groups: expected } = JSON.parse(
    readFileSync('test/golden/duet/simulated.expected.json', 'utf8'),
  ) as { groups: Record<string, Expected> };
  const { groups } = analyzeIterations(runs, compat);
  assert.equal(groups.length, 9);
  for (const group of groups) {
    const { suite, benchmark, type } = group;
    const reference = expected[`${suite}/${benchmark}/${type}`] ?? assert.fail();
    assert.equal(group.counts.pairs, reference.pairs);
    const means = group.runs.flatMap(({ difference }) => difference ?? []);
    assert.equal(means.length, reference.run_means.length);
    for (const [i, mean] of means.entries()) near(mean, reference.run_means[i] ?? Number.NaN, 1e-6);
    near(group.mannWhitney?.p, reference.u_test_p, 1e-9);
    near(group.variation, reference.variation, 1e-9);
    if (!reference.bca || !reference.icpe_limits) assert.fail();
    const [low, high] = reference.bca;
    const width = high - low;
    // Limits of resamples vary with the seed: within 3 % of the width.
    assert.ok(
      Math.abs((group.thesis?.low ?? Number.NaN) - low) < 0.03 * width,
      `${group.thesis?.low} ${low}`,
    );
    assert.ok(
      Math.abs((group.thesis?.high ?? Number.NaN) - high) < 0.03 * width,
      `${group.thesis?.high} ${high}`,
    );
    const { mid = Number.NaN, error = Number.NaN, relativeWidth } = group.thesis ?? {};
    assert.equal(group.thesis?.equal, Math.abs(mid) <= error);
    near(relativeWidth, (2 * error) / reference.grand_mean, 1e-9);
    near(group.icpe?.ratio, reference.icpe ?? Number.NaN, 1e-9);
    const [icpeLow, icpeHigh] = reference.icpe_limits;
    const tolerance = 0.05 * (icpeHigh - icpeLow);
    assert.ok(
      Math.abs((group.icpe?.low ?? Number.NaN) - icpeLow) < tolerance,
      `${group.icpe?.low} ${icpeLow}`,
    );
    assert.ok(
      Math.abs((group.icpe?.high ?? Number.NaN) - icpeHigh) < tolerance,
      `${group.icpe?.high} ${icpeHigh}`,
    );
  }
});

test('the ratio is found, however far the sides are apart', () => {
  for (const [seed, ratio] of [0.3, 0.97, 1.02, 1.5, 3].entries()) {
    const runs = simulateDuets({ seed: 100 + seed, runs: 12, iterations: 30, ratio });
    const { judgement } = only(analyzeIterations(runs, options));
    assert.equal(judgement.verdict, ratio > 1 ? 'slower' : 'faster');
    near(judgement.effect?.ratio, ratio, 0.01);
  }
});

test('a smallest overlap pulls unlike sides together, and a note says so', () => {
  const runs = simulateDuets({ seed: 7, runs: 12, iterations: 30, ratio: 2, noise: 0.1 });
  const ratioOf = (minOverlap: number) => only(analyzeIterations(runs, { ...options, minOverlap })).judgement;
  near(ratioOf(0).effect?.ratio, 2, 0.02);
  assert.ok((ratioOf(0.4).effect?.ratio ?? 2) < 1.97);
  assert.match(ratioOf(0.4).notes.join(' '), /smallest overlap of 0.4 keeps the pairs that are alike/);
  assert.doesNotMatch(ratioOf(0).notes.join(' '), /smallest overlap/);
});

test('equal sides are the same; sequential runs of them on a noisy machine are less certain', () => {
  const simulation = { runs: 20, iterations: 30, ratio: 1, burst: 0.5 };
  const together = only(analyzeIterations(simulateDuets({ ...simulation, seed: 3 }), options));
  const alone = only(analyzeIterations(simulateDuets({ ...simulation, seed: 3, type: 'seqn' }), options));
  const width = ({ judgement: { effect } }: typeof alone) => (effect?.high ?? 9) - (effect?.low ?? 0);
  assert.equal(together.judgement.verdict, 'same');
  assert.ok(width(alone) > 1.5 * width(together), `${width(alone)} ${width(together)}`);
  assert.equal(alone.judgement.runs, 20);
});

test('one run is a row without an interval, not an error', () => {
  const runs = simulateDuets({ seed: 1, runs: 1, iterations: 10, ratio: 1 });
  for (const type of ['duet', 'syncduet', 'seqn'] as const) {
    const typed = runs.map((run): DuetIterations => ({ ...run, type }));
    const group = only(analyzeIterations(typed, options));
    assert.deepEqual([group.judgement.verdict, group.judgement.runs], ['undecided', 1]);
    assert.deepEqual([group.judgement.effect, group.thesis, group.icpe], [undefined, undefined, undefined]);
    assert.ok(group.counts.pairs >= 10 && Number.isFinite(group.runs[0]?.logRatio));
    assert.match(group.judgement.notes[0] ?? '', /at least two/);
  }
});

test('rows of a machine that the original does not know are kept, and known ones get its labels', () => {
  const on = (environment: string) =>
    simulateDuets({ seed: 2, runs: 2, iterations: 10, ratio: 1, environment });
  const hosts = ['ip-10-0-0-1', 'cirrus7', 'teaching-vm', 'laptop', ''];
  const { groups } = analyzeIterations(labelEnvironments(hosts.flatMap(on)), compat);
  assert.deepEqual(groups.map(({ environment }) => environment).sort(), [
    '',
    'AWS t3.medium',
    'bare-metal',
    'laptop',
    'shared-vm',
  ]);
  assert.equal(analyzeIterations(hosts.flatMap(on), options).groups.length, 5);
});

test('synchrony is what narrows the interval: shuffled pairs widen it', () => {
  const runs = simulateDuets({ seed: 11, runs: 10, iterations: 20, ratio: 1, burst: 0.8, type: 'syncduet' });
  const shuffled = runs.map((run, i): DuetIterations => {
    const other = runs[(i + 3) % runs.length]?.B;
    return other ? { ...run, B: other } : run;
  });
  const widthOf = (some: readonly DuetIterations[]) => {
    const { low, high } = only(analyzeIterations(some, options)).icpe ?? assert.fail();
    return high - low;
  };
  assert.ok(widthOf(shuffled) > 1.5 * widthOf(runs), `${widthOf(shuffled)} ${widthOf(runs)}`);
});

test('an emulated slowdown moves the ratio by as much, and sides without it stay', () => {
  for (const type of ['duet', 'syncduet', 'seqn'] as const) {
    const runs = simulateDuets({ seed: 21, runs: 12, iterations: 30, ratio: 1, type, burst: 0.05 });
    const ratioAt = (slowdown: number) => {
      return only(analyzeIterations(runs, { ...options, slowdown })).judgement.effect?.ratio ?? Number.NaN;
    };
    near(ratioAt(0.1) / ratioAt(0), 1.1, 0.005);
    const before = only(analyzeIterations(runs, options)).meanA;
    assert.equal(only(analyzeIterations(runs, { ...options, slowdown: 0.1 })).meanA, before);
  }
});

test('many equal benchmarks: what is found by chance alone is taken back', () => {
  const runs = Array.from({ length: 40 }, (_, i) => {
    return simulateDuets({
      seed: 1000 + i,
      runs: 6,
      iterations: 10,
      ratio: 1,
      benchmark: `b${i}`,
      noise: 0.1,
    });
  }).flat();
  const alone = runs.filter(({ benchmark }) => benchmark === 'b0');
  const { groups } = analyzeIterations(runs, { ...options, minEffect: 0 });
  assert.deepEqual(
    groups.filter(({ judgement }) => ['faster', 'slower'].includes(judgement.verdict)),
    [],
  );
  assert.ok(
    groups.some(({ judgement }) => judgement.notes.some((note) => note.startsWith('Alone this would be'))),
  );
  for (const { judgement, adjustedP } of groups) assert.ok((adjustedP ?? 0) >= (judgement.p ?? 1));
  const one = only(analyzeIterations(alone, options));
  assert.equal(one.adjustedP, one.judgement.p);
  assert.deepEqual(one.thesis, groups.find(({ benchmark }) => benchmark === 'b0')?.thesis);
});

test('a side that runs on alone is reported', () => {
  const runs = simulateDuets({ seed: 5, runs: 3, iterations: 20, ratio: 1.6, burst: 0 });
  const { notes } = only(analyzeIterations(runs, options)).judgement;
  assert.match(notes.join('\n'), /^B ran 3\d % of its time without a partner/m);
  assert.doesNotMatch(notes.join('\n'), /^A ran/m);
});

test('a side that never becomes steady is reported, and noise that looks so once is not', () => {
  const runs = simulateDuets({ seed: 6, runs: 8, iterations: 40, ratio: 1, burst: 0 });
  const drifting = runs.map((run): DuetIterations => {
    if (!run.A) assert.fail();
    return { ...run, A: { ...run.A, times: run.A.times.map((time, i) => time * (1 - 0.005 * i)) } };
  });
  const notesOf = (some: readonly DuetIterations[]) => only(analyzeIterations(some, options)).judgement.notes;
  assert.match(
    notesOf(drifting).join('\n'),
    /^A never became steady in \d of 8 runs: their second halves were used\.$/m,
  );
  assert.deepEqual(notesOf(runs), []);
});

test('runs with one side, without pairs and with impossible times are counted', () => {
  const [one, two, three] = simulateDuets({ seed: 8, runs: 3, iterations: 12, ratio: 1 });
  if (!one?.A || !two?.A || !two.B || !three) assert.fail();
  const { B: _, ...onlyA } = one;
  const times = two.A.times.slice();
  times[0] = 0;
  times[1] = Number.NaN;
  const runs = [onlyA, { ...two, A: { ...two.A, times } }, three];
  const analysis = analyzeIterations(runs, options);
  const group = only(analysis);
  assert.deepEqual(analysis.notes, ['2 iterations without a time above 0 left out.']);
  assert.deepEqual([group.counts.runs, group.judgement.runs], [3, 2]);
  assert.deepEqual([group.counts.iterationsA, group.counts.iterationsB], [34, 24]);
  assert.match(group.judgement.notes.join('\n'), /1 of 3 runs have no pair; in 1 a side has no iterations\./);
  assert.doesNotMatch(JSON.stringify(group), /null/);
});

test('what a duet saves: time of an iteration beside sequential runs of the same benchmark', () => {
  const simulation = { runs: 2, iterations: 10, ratio: 1, burst: 0, noise: 0, runEffect: 0 };
  const runs = (['duet', 'seqn'] as const).flatMap((type) => simulateDuets({ ...simulation, seed: 4, type }));
  const { groups } = analyzeIterations(runs, options);
  const [duet, alone] = (['duet', 'seqn'] as const).map((type) =>
    groups.find((group) => group.type === type),
  );
  near(alone?.cost?.seconds, 40, 1e-6);
  near(alone?.cost?.secondsPerIteration, 1, 1e-6);
  near(duet?.cost?.seconds, 20, 0.03);
  near(duet?.cost?.speedup, 1, 0.05);
  assert.equal(alone?.cost?.speedup, undefined);
  const whole = analyzeIterations(runs, compat).groups.find(({ type }) => type === 'seqn');
  assert.ok(Number.isInteger(whole?.cost?.seconds));
});

test('the same input and seed give the same bytes; another seed moves only what is resampled', () => {
  const runs = simulateDuets({ seed: 9, runs: 6, iterations: 12, ratio: 1.02 });
  const text = (seed: number) => JSON.stringify(analyzeIterations(runs, { ...options, seed }).groups);
  assert.equal(text(1), text(1));
  assert.notEqual(text(1), text(2));
  const judged = (seed: number) => only(analyzeIterations(runs, { ...options, seed })).judgement;
  assert.deepEqual(judged(1), judged(2));
});
