import { pairsAUnit, unitRatios } from '../../duet/core/pair-plan.ts';
import { type Judgement, judgeLogRatios } from '../../stats/verdict.ts';

/** Whether two commits differ at all. */
export type Difference =
  | { readonly state: 'open'; readonly pairs: number }
  | { readonly state: 'judged'; readonly judgement: Judgement };

export interface DifferenceOptions {
  readonly certainty: number;
  readonly minEffect: number;
  readonly mostPairs?: number;
  /** From pair to pair: two of them, one each way, are one run of the statistics where there are enough. */
  readonly doSidesChangePlaces?: boolean;
}

/**
 * Looks after 6, 12, 24 ... pairs. The chance of a false alarm is shared out equally among the looks: simple, and a
 * little stricter than need be. Large differences are clear at the first look.
 */
export function judgeDifference(logRatios: readonly number[], options: DifferenceOptions): Difference {
  const { certainty, minEffect, doSidesChangePlaces = false } = options;
  const looks = lookSchedule(options);
  const level = 1 - (1 - certainty) / looks.length;
  for (const runs of looks) {
    if (logRatios.length < runs) return { state: 'open', pairs: runs - logRatios.length };
    const ratios = logRatios.slice(0, runs).map((logRatio, pair) => ({ pair, logRatio }));
    const values = unitRatios(ratios, pairsAUnit(runs, doSidesChangePlaces));
    const judgement = judgeLogRatios(values, { level, minEffect });
    if (judgement.verdict !== 'undecided' || runs === looks.at(-1)) return { state: 'judged', judgement };
  }
  return { state: 'open', pairs: looks[0] ?? FIRST_LOOK };
}

const FIRST_LOOK = 6;
/** At a noise of 7 % a pair this still shows 2 % in nine of ten duets. */
const MOST_PAIRS = 192;

function lookSchedule({ mostPairs }: DifferenceOptions): readonly number[] {
  const most = Math.max(FIRST_LOOK, mostPairs === undefined ? MOST_PAIRS : 8 * mostPairs);
  const looks: number[] = [];
  for (let runs = FIRST_LOOK; runs < most; runs *= 2) looks.push(runs);
  return [...looks, most];
}
