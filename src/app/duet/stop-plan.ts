import type { Judgement } from '../../core/model/verdict.ts';
import { judgeLogRatios } from '../../core/stats/judge.ts';
import { type Look, planLooks } from '../../core/stats/looks.ts';
import type { CompareRequest } from './compare-request.ts';

/** How many pairs at most, and when it may end before. */
export interface StopPlan {
  readonly pairs: number;
  readonly looks: readonly Look[];
}

export function planStop({ stop, level }: CompareRequest, pairs: number): StopPlan {
  const looks = stop === 'when-decided' ? planLooks(pairs, level) : [{ runs: pairs, level }];
  return { pairs, looks };
}

/** True when these pairs are those of a look, and it has a verdict. */
export function isDecided(
  { looks }: StopPlan,
  logRatios: readonly number[],
  request: CompareRequest,
): boolean {
  const look = looks.find(({ runs }) => runs === logRatios.length);
  return look !== undefined && judge(logRatios, look, request).verdict !== 'undecided';
}

export interface Judged {
  readonly judgement: Judgement;
  readonly look: { readonly number: number; readonly of: number };
}

/** The verdict of the pairs there are, as strict as the look at which they are, or the next one. */
export function judgeAtLook(
  { looks }: StopPlan,
  logRatios: readonly number[],
  request: CompareRequest,
): Judged {
  const next = looks.findIndex(({ runs }) => runs >= logRatios.length);
  const index = next < 0 ? looks.length - 1 : next;
  const look = looks[index] ?? { runs: logRatios.length, level: request.level };
  return { judgement: judge(logRatios, look, request), look: { number: index + 1, of: looks.length } };
}

function judge(logRatios: readonly number[], { level }: Look, { minEffect }: CompareRequest): Judgement {
  return judgeLogRatios(Float64Array.from(logRatios), { level, minEffect });
}
