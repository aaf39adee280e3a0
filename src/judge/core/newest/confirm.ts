import type { Better } from '../../../home/core/changes/change.ts';
import type { Judgement } from '../../../stats/verdict.ts';
import type { NewestVerdict } from '../levels/levels.ts';
import { judgeNewest, type NewestOptions } from './judge-newest.ts';

/** State of a provisional verdict after more values. */
export interface Confirmation {
  readonly state: 'provisional' | 'confirmed' | 'withdrawn';
  /** One sentence. */
  readonly reason: string;
}

export interface Suspicion {
  /** Values of the level before, the suspect one not among them. */
  readonly history: Float64Array;
  readonly better: Better;
  /** The verdict on the suspect value. */
  readonly verdict: NewestVerdict;
}

/** Following values after which a suspicion that was not confirmed is given up. */
const PATIENCE = 5;

/**
 * Judges what came after the suspect value. That value itself does not count again: it was chosen for being far out,
 * so it would agree with itself.
 */
export function confirmByValues(
  { history, better, verdict }: Suspicion,
  following: Float64Array,
  options: Partial<NewestOptions> = {},
): Confirmation {
  const values = following.filter(Number.isFinite);
  if (!isSuspicion(verdict)) return { state: 'withdrawn', reason: 'There was no suspicion.' };
  if (values.length === 0) return { state: 'provisional', reason: 'No value has followed yet.' };
  const now = judgeNewest({ history, newest: values, better }, options);
  const count = `${values.length} following ${values.length === 1 ? 'value' : 'values'}`;
  if (now.verdict === verdict.verdict && sameSign(now, verdict))
    return { state: 'confirmed', reason: `${count} alone ${values.length === 1 ? 'says' : 'say'} the same.` };
  if (isSuspicion(now)) return { state: 'withdrawn', reason: `${count} went the other way.` };
  if (values.length >= 2 && hasReturned(now, verdict))
    return { state: 'withdrawn', reason: `${count} are nearer to the level before.` };
  if (values.length >= PATIENCE) return { state: 'withdrawn', reason: `${count} did not make it certain.` };
  return { state: 'provisional', reason: `${count} cannot decide yet.` };
}

/** Decides by a duet of the two commits, which measured both at the same time. */
export function confirmByDuet(verdict: NewestVerdict, duet: Judgement): Confirmation {
  if (!isSuspicion(verdict)) return { state: 'withdrawn', reason: 'There was no suspicion.' };
  if (duet.verdict === 'undecided')
    return { state: 'provisional', reason: `A duet of ${duet.runs} runs was inconclusive.` };
  if (duet.verdict === 'same')
    return { state: 'withdrawn', reason: `A duet of ${duet.runs} runs found both the same.` };
  const agrees = verdict.verdict === 'changed' || verdict.verdict === duet.verdict;
  return agrees
    ? { state: 'confirmed', reason: `A duet of ${duet.runs} runs found it ${duet.verdict} too.` }
    : { state: 'withdrawn', reason: `A duet of ${duet.runs} runs found it ${duet.verdict}.` };
}

/** Whether a verdict is one to report. */
export function isSuspicion({ verdict }: Pick<NewestVerdict, 'verdict'>): boolean {
  return verdict === 'slower' || verdict === 'faster' || verdict === 'changed';
}

function sameSign(one: NewestVerdict, other: NewestVerdict): boolean {
  return Math.sign(one.shift?.difference ?? 0) === Math.sign(other.shift?.difference ?? 0);
}

function hasReturned(now: NewestVerdict, then: NewestVerdict): boolean {
  const [moved, suspected] = [now.shift?.difference ?? 0, then.shift?.difference ?? 0];
  return moved * Math.sign(suspected) < Math.abs(suspected) / 2;
}
