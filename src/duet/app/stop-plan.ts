import { judgeLogRatios } from '../../stats/judge.ts';
import { type Look, planLooks } from '../../stats/looks.ts';
import type { Judgement } from '../../stats/verdict.ts';
import { type PairRatio, pairsAUnit, unitRatios } from '../core/pair-plan.ts';
import type { CompareRequest } from './compare-request.ts';

/** How many pairs at most, and when it may end before. */
export interface StopPlan {
  readonly pairs: number;
  /** Pairs that count as one run of the statistics. */
  readonly unit: 1 | 2;
  /** Their runs are units. */
  readonly looks: readonly Look[];
}

export function planStop({ stop, level, mode, cores }: CompareRequest, pairs: number): StopPlan {
  const unit = pairsAUnit(pairs, cores !== undefined || mode === 'alternate');
  const runs = Math.floor(pairs / unit);
  const looks = stop === 'when-decided' ? planLooks(runs, level) : [{ runs, level }];
  return { pairs, unit, looks };
}

/** True when these pairs are those of a look, and it has a verdict. */
export function isDecided(
  { looks, unit }: StopPlan,
  ratios: readonly PairRatio[],
  request: CompareRequest,
): boolean {
  // Most pairs are at no look: they are not averaged again.
  if (!looks.some(({ runs }) => runs === Math.floor(ratios.length / unit))) return false;
  const units = unitRatios(ratios, unit);
  const look = looks.find(({ runs }) => runs === units.length);
  return (
    look !== undefined &&
    judgeLogRatios(units, { level: look.level, minEffect: request.minEffect }).verdict !== 'undecided'
  );
}

export interface Judged {
  readonly judgement: Judgement;
  readonly look: { readonly number: number; readonly of: number };
}

/** The verdict of the pairs there are, as strict as the look at which they are, or the next one. */
export function judgeAtLook(
  { looks, unit }: StopPlan,
  ratios: readonly PairRatio[],
  request: CompareRequest,
): Judged {
  const units = unitRatios(ratios, unit);
  const next = looks.findIndex(({ runs }) => runs >= units.length);
  const index = next < 0 ? looks.length - 1 : next;
  const level = looks[index]?.level ?? request.level;
  const judgement = judgeLogRatios(units, { level, minEffect: request.minEffect });
  return { judgement, look: { number: index + 1, of: looks.length } };
}
