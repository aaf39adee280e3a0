import { pairsAUnit } from '../../duet/core/pair-plan.ts';
import { type Judgement, judgeLogRatios } from '../../stats/verdict.ts';
import { inUnits, type SearchOptions } from './search.ts';

/** Whether good and bad differ at all: without that there is nothing to look for. */
export type Difference =
  | { readonly state: 'open'; readonly pairs: number }
  | { readonly state: 'clear' | 'none'; readonly judgement: Judgement };

/**
 * Looks after 6, 12, 24 ... pairs. The chance of a false alarm is shared out equally among the looks: simple, and a
 * little stricter than need be. Large differences are clear at the first look.
 */
export function judgeDifference(
  logRatios: readonly number[],
  options: SearchOptions,
  doSidesChangePlaces = false,
): Difference {
  const looks = lookMoments(options);
  const level = 1 - (1 - options.certainty) / looks.length;
  for (const runs of looks) {
    if (logRatios.length < runs) return { state: 'open', pairs: runs - logRatios.length };
    const unit = pairsAUnit(runs, doSidesChangePlaces);
    const { minEffect } = options;
    const judgement = judgeLogRatios(inUnits(logRatios.slice(0, runs), unit), { level, minEffect });
    if (judgement.verdict === 'same') return { state: 'none', judgement };
    if (judgement.verdict !== 'undecided') return { state: 'clear', judgement };
    if (runs === looks.at(-1)) return { state: 'none', judgement };
  }
  return { state: 'open', pairs: looks[0] ?? FIRST_LOOK };
}

const FIRST_LOOK = 6;
/** At a noise of 7 % a pair this still shows 2 % in nine of ten searches. */
const MOST_PAIRS = 192;

function lookMoments({ mostPairs }: SearchOptions): readonly number[] {
  const most = Math.max(FIRST_LOOK, mostPairs === undefined ? MOST_PAIRS : 8 * mostPairs);
  const moments: number[] = [];
  for (let runs = FIRST_LOOK; runs < most; runs *= 2) moments.push(runs);
  return [...moments, most];
}
