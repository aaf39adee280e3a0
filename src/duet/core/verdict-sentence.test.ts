import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Judgement, RatioEffect, Verdict } from '../../stats/verdict.ts';
import { type Comparison, correctMany, isRegression, sideSummary } from './comparison.ts';
import { verdictAdvice, verdictBasis, verdictSentence } from './verdict-sentence.ts';

function comparison(verdict: Verdict, effect?: Omit<RatioEffect, 'level'>, p = 0.01): Comparison {
  const side = (name: string) => ({
    name,
    command: name,
    times: Array(20).fill(1),
    exitCodes: Array(20).fill(0),
  });
  const judgement: Judgement = {
    verdict,
    ...(effect && { effect: { ...effect, level: 0.95 }, p }),
    minEffect: 0.01,
    runs: 20,
    notes: [],
  };
  return {
    mode: 'together',
    seed: 1,
    parameters: {},
    sides: { A: side('A'), B: side('B') },
    judgement,
    decidedBy: 'wall',
    deciders: ['wall'],
    measures: [{ measure: 'wall', judgement }],
    absent: [],
    state: 'complete',
    planned: 20,
    pairsARun: 1,
    orders: [],
    notes: [],
  };
}

const cases: readonly (readonly [Comparison, string])[] = [
  [comparison('slower', { ratio: 1.021, low: 1.012, high: 1.03 }), 'B is 2.1 % slower than A'],
  [comparison('faster', { ratio: 0.979, low: 0.97, high: 0.99 }), 'B is 2.1 % faster than A'],
  [comparison('slower', { ratio: 2.34, low: 2.3, high: 2.4 }), 'B takes 2.3 times as long as A'],
  [comparison('faster', { ratio: 0.25, low: 0.2, high: 0.3 }), 'A takes 4.0 times as long as B'],
  [comparison('slower', { ratio: 1.0004, low: 1.0001, high: 1.0007 }), 'B is 0.04 % slower than A'],
  [comparison('same', { ratio: 1.001, low: 0.996, high: 1.006 }), 'A and B are the same within 1 %'],
  [
    comparison('undecided', { ratio: 1.011, low: 0.988, high: 1.034 }),
    'Undecided: B may be anything from 1.2 % faster to 3.4 % slower than A',
  ],
  [comparison('undecided'), 'Undecided: too few pairs to compare A and B'],
];

for (const [given, sentence] of cases) {
  test(`says "${sentence}"`, () => assert.equal(verdictSentence(given), sentence));
}

test('says which measure decided, and that wall time did not', () => {
  const wall = comparison('undecided', { ratio: 0.96, low: 0.872, high: 1.051 }).judgement;
  const cpu = (verdict: Verdict, effect: Omit<RatioEffect, 'level'>): Comparison => {
    const { judgement, ...rest } = comparison(verdict, effect);
    const measures = [
      { measure: 'wall', judgement: wall },
      { measure: 'cpu', judgement },
    ] as const;
    return { ...rest, judgement, decidedBy: 'cpu', measures };
  };
  assert.equal(
    verdictSentence(cpu('slower', { ratio: 1.058, low: 1.043, high: 1.074 })),
    'B is 5.8 % slower than A by CPU time; wall time is undecided (13 % faster to 5.1 % slower)',
  );
  assert.equal(
    verdictSentence(cpu('same', { ratio: 1.001, low: 0.996, high: 1.006 })),
    'A and B are the same within 1 % by CPU time; wall time is undecided (13 % faster to 5.1 % slower)',
  );
  assert.equal(
    verdictSentence(cpu('undecided', { ratio: 1.011, low: 0.988, high: 1.034 })),
    'Undecided: B may be anything from 1.2 % faster to 3.4 % slower than A by CPU time',
  );
});

test('says what it rests on', () => {
  const [slower] = cases[0] ?? assert.fail();
  assert.equal(verdictBasis(slower), 'ratio 1.021, 95 % interval 1.012 to 1.030; 20 pairs, together');
  const interrupted: Comparison = { ...slower, state: 'interrupted', planned: 100 };
  assert.match(verdictBasis(interrupted), /; 20 of 100 pairs, together, interrupted$/);
  const alone: Comparison = { ...slower, mode: 'one-after-another' };
  assert.match(verdictBasis(alone), /; 20 and 20 runs, one after another$/);
  const swapped: Comparison = { ...slower, pairsARun: 2 };
  assert.match(verdictBasis(swapped), /; 20 pairs, two of them a run, together$/);
});

test('a narrow interval is shown with the digits it has', () => {
  const narrow = comparison('slower', { ratio: 1.00042, low: 1.00031, high: 1.00053 });
  assert.match(verdictBasis(narrow), /^ratio 1\.00042, 95 % interval 1\.00031 to 1\.00053;/);
});

test('advises only when undecided', () => {
  const [slower] = cases[0] ?? assert.fail();
  assert.equal(verdictAdvice(slower), undefined);
  const undecided = comparison('undecided', { ratio: 1.02, low: 1.02 / 1.04, high: 1.02 * 1.04 });
  assert.equal(verdictAdvice(undecided), 'About 320 pairs might decide (--runs 320).');
  const hopeless = comparison('undecided', { ratio: 1.005, low: 0.5, high: 2 });
  assert.match(verdictAdvice(hopeless) ?? '', /hardly decide/);
});

test('slower than allowed is a regression; slower within it is not', () => {
  const [slower] = cases[0] ?? assert.fail();
  const gate = (allow: number, orLikely = false) => ({ allow, orLikely });
  assert.equal(isRegression(slower, gate(0)), true);
  assert.equal(isRegression(slower, gate(0.03)), false);
  assert.equal(isRegression(slower, gate(0.03, true)), false);
  // 2.1 % [1.2, 3.0] is likely, but not surely, more than 2 %.
  assert.equal(isRegression(slower, gate(0.02)), false);
  assert.equal(isRegression(slower, gate(0.02, true)), true);
  assert.equal(
    isRegression(comparison('undecided', { ratio: 1.5, low: 0.9, high: 2 }), gate(0, true)),
    false,
  );
});

test('a difference that is only likely beyond the smallest effect of interest fails a gate that asks for it', () => {
  const given = comparison('undecided', { ratio: 1.021, low: 1.005, high: 1.037 });
  const likely: Comparison = { ...given, judgement: { ...given.judgement, likely: 'slower' } };
  assert.equal(isRegression(likely, { allow: 0, orLikely: false }), false);
  assert.equal(isRegression(likely, { allow: 0, orLikely: true }), true);
  assert.equal(isRegression(likely, { allow: 0.03, orLikely: true }), false);
  assert.equal(verdictSentence(likely), 'B is likely 2.1 % slower than A, but not surely by more than 1 %');
});

test('of many comparisons, what may be chance is no longer called a difference', () => {
  const effect = { ratio: 1.02, low: 1.001, high: 1.04 };
  const many = [
    comparison('slower', effect, 0.04),
    comparison('slower', effect, 0.0001),
    ...Array.from({ length: 8 }, () => comparison('undecided', effect, 0.6)),
  ];
  const corrected = correctMany(many, 0.95);
  assert.deepEqual(
    corrected.slice(0, 2).map(({ judgement }) => judgement.verdict),
    ['undecided', 'slower'],
  );
  assert.equal(corrected[0]?.adjustedP, 0.2);
  assert.equal(corrected[1]?.adjustedP, 0.001);
  assert.match(corrected[0]?.notes[0] ?? '', /called slower; among 10 comparisons/);
  assert.deepEqual(correctMany(many.slice(0, 1), 0.95), many.slice(0, 1));
  const [first, ...others] = many as [Comparison, ...Comparison[]];
  const likely: Comparison = {
    ...first,
    judgement: { ...first.judgement, verdict: 'undecided', likely: 'slower' },
  };
  const [held] = correctMany([likely, ...others], 0.95);
  assert.equal(held?.judgement.likely, undefined);
  assert.match(held?.notes[0] ?? '', /called likely slower; among 10 comparisons/);
});

test('the summary of a side has the deviation of a sample', () => {
  const side = { name: 'A', command: 'x', times: [3, 1, 2], exitCodes: [0, 0, 0], user: 0.5 };
  assert.deepEqual(sideSummary(side), { mean: 2, stddev: 1, median: 2, min: 1, max: 3, user: 0.5 });
  assert.equal(sideSummary({ ...side, times: [1] })?.stddev, undefined);
  assert.equal(sideSummary({ ...side, times: [] }), undefined);
});
