import type { Shift } from '../../../home/core/changes/change.ts';
import { type Beyond, beyond } from '../../../stats/beyond.ts';
import type { NewestVerdict } from '../levels/levels.ts';
import { isSuspicion } from '../newest/confirm.ts';
import type { NewestOptions } from '../newest/judge-newest.ts';
import type { SeriesRules } from './judge-series.ts';

/**
 * Whether a shift is beyond what the definition calls interesting: by `min-effect` as a fraction, and by `min-difference`
 * in the unit of the values; it must be beyond both. Without such a rule every shift that was found is.
 */
export function sureness({ difference, low, high, relative }: Shift, rules: SeriesRules): Beyond {
  const { minEffect = 0, minDifference = 0, orLikely = false } = rules;
  // From a level of zero every step is infinitely large.
  const byEffect = minEffect > 0 && relative ? beyond(relative, minEffect) : 'surely';
  const inUnits = {
    change: difference / minDifference,
    low: low / minDifference,
    high: high / minDifference,
  };
  const byDifference = minDifference > 0 ? beyondOne(inUnits) : 'surely';
  const weaker = RANKS.find((rank) => rank === byEffect || rank === byDifference) ?? 'no';
  return weaker === 'likely' && orLikely ? 'surely' : weaker;
}

/** The weakest first. */
const RANKS: readonly Beyond[] = ['no', 'likely', 'surely'];

function beyondOne({ change, low, high }: { change: number; low: number; high: number }): Beyond {
  if (low > 1 || high < -1) return 'surely';
  return (low > 0 || high < 0) && Math.abs(change) > 1 ? 'likely' : 'no';
}

/** A verdict on newest values as the rules have it: what is not surely beyond them is undecided. */
export function withRules(verdict: NewestVerdict, rules: SeriesRules): NewestVerdict {
  if (!isSuspicion(verdict) || !verdict.shift) return verdict;
  const found = sureness(verdict.shift, rules);
  if (found === 'surely') return verdict;
  const likely = found === 'likely' ? { likely: verdict.verdict as Alarm } : {};
  return { ...verdict, verdict: 'undecided', ...likely };
}

type Alarm = NonNullable<NewestVerdict['likely']>;

export function newestOptions({ minEffect, thresholds }: SeriesRules): Partial<NewestOptions> {
  return {
    ...(minEffect !== undefined && { minEffect }),
    ...(thresholds && { falseAlarms: thresholds.falseAlarms }),
  };
}
