import { type TTest, welchTest } from '../../stats/t-tests.ts';
import { decide, type Judgement, type JudgeOptions, type RatioEffect } from '../../stats/verdict.ts';

/** Logarithms of the times of a side, one of each of its runs. */
export interface SequentialRuns {
  readonly A: Float64Array;
  readonly B: Float64Array;
}

/**
 * Judges sides that ran alone. That run 3 of A and run 3 of B have the same number means nothing, so they are two
 * independent samples of runs: Welch's interval for the difference of the logarithms, which is that of the ratio.
 */
export function judgeSequential({ A, B }: SequentialRuns, { level, minEffect }: JudgeOptions): Judgement {
  const runs = Math.min(A.length, B.length);
  if (runs < 2) {
    const notes = [
      `Side A has ${A.length} and side B ${B.length} usable runs: at least two of each are needed.`,
    ];
    return { verdict: 'undecided', minEffect, runs, notes };
  }
  const test = welchTest(B, A, { level });
  const effect = ratioOf(test);
  // Two one-sided tests at 1 - level each are the interval with that much on either side (Schuirmann 1987).
  const equivalence = ratioOf(welchTest(B, A, { level: 2 * level - 1 }));
  const isSame = decide(equivalence, minEffect) === 'same';
  return {
    verdict: isSame ? 'same' : decide(effect, minEffect),
    effect,
    p: test.p,
    minEffect,
    runs,
    notes: [],
  };
}

function ratioOf({ estimate, low, high, level }: TTest): RatioEffect {
  return { ratio: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high), level };
}
