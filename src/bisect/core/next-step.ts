import { pairsAUnit } from '../../duet/core/pair-plan.ts';
import { type Judgement, judgeLogRatios } from '../../stats/verdict.ts';
import { type Posterior, posteriorOf } from './posterior.ts';
import {
  badOf,
  type Group,
  inUnits,
  likeliestGroup,
  partsOf,
  ratiosByCommit,
  type Search,
  type SearchOptions,
  type Suspects,
} from './search.ts';

/** What to do next; it follows from the evidence alone, so an interrupted search goes on as if nothing had happened. */
export type Step =
  | {
      readonly type: 'measure';
      readonly commit: number;
      readonly pairs: number;
      /** difference: good against bad; halve: the commit that halves what is left; check: one that the answer rests on. */
      readonly why: 'difference' | 'halve' | 'check';
      readonly posterior?: Posterior;
    }
  | { readonly type: 'no-difference'; readonly judgement: Judgement }
  | { readonly type: 'found'; readonly group: Group; readonly posterior: Posterior };

export function nextStep(search: Search): Step {
  const { suspects, evidence, options } = search;
  const bad = badOf(suspects);
  const ratios = ratiosByCommit(evidence);
  const last = evidence.pairs.at(-1)?.commit ?? bad;
  // Other commits are measured only after the difference was clear: it is not judged again.
  if (last === bad && evidence.skipped.size === 0) {
    const difference = judgeDifference(ratios.get(bad) ?? [], options, evidence.doSidesChangePlaces);
    if (difference.state === 'open')
      return { type: 'measure', commit: bad, pairs: difference.pairs, why: 'difference' };
    if (difference.state === 'none') return { type: 'no-difference', judgement: difference.judgement };
  }

  const target = 1 - (1 - options.certainty) * MARGIN;
  const posterior = posteriorOf(suspects, evidence);
  const shares = sharesOf(suspects, posterior.probabilities);
  const count = (commit: number) => ratios.get(commit)?.length ?? 0;
  const most = options.mostPairs ?? usualMost(posterior);
  const isTestable = (commit: number) =>
    !evidence.skipped.has(commit) &&
    (commit === bad || !isExhausted(count(commit), shares[commit] ?? 0, { most, limit: target }));
  const measure = (commit: number, why: 'halve' | 'check'): Step => ({
    type: 'measure',
    commit,
    // Both orders of starting once: AB and BA.
    pairs: 2 - (count(commit) % 2),
    why,
    posterior,
  });

  const group = likeliestGroup(suspects, posterior.probabilities, isTestable);
  if (group.probability >= target) {
    const unsure = neighboursOf(suspects, group, isTestable).find((commit) => count(commit) < CHECKED);
    return unsure === undefined ? { type: 'found', group, posterior } : measure(unsure, 'check');
  }
  const isOpen = Math.abs((shares[last] ?? 1) - 0.5) < STAY - 0.5;
  if (last !== bad && isOpen && isTestable(last)) return measure(last, 'halve');
  return measure(halving(shares, { isTestable, bad }), 'halve');
}

/** The noise of a machine is only nearly what the posterior takes it for: half of the doubt is kept in reserve. */
const MARGIN = 0.5;
/** Pairs of the commits on either side of the change before it is called found. */
const CHECKED = 4;
/** A commit is measured until it is that sure on which side it is: another one costs a build. */
const STAY = 0.95;

/** Probability that the culprit is a part of the commit, for each. */
function sharesOf(suspects: Suspects, probabilities: Float64Array): Float64Array {
  const shares = new Float64Array(probabilities.length);
  for (const [at, parents] of suspects.parents.entries()) {
    const [parent, ...others] = parents;
    const own = probabilities[at] ?? 0;
    if (others.length === 0) {
      shares[at] = own + (parent === undefined ? 0 : (shares[parent] ?? 0));
      continue;
    }
    // Behind a merge the parts of the parents overlap: they are counted one by one.
    const parts = partsOf(suspects, at);
    let share = 0;
    for (let part = 0; part <= at; part++) if (parts[part] === 1) share += probabilities[part] ?? 0;
    shares[at] = share;
  }
  return shares;
}

function halving(
  shares: Float64Array,
  { isTestable, bad }: { readonly isTestable: (commit: number) => boolean; readonly bad: number },
): number {
  let best = bad;
  let distance = Number.POSITIVE_INFINITY;
  for (let at = 0; at < shares.length; at++) {
    const from = Math.abs((shares[at] ?? 0) - 0.5);
    if (from >= distance || at === bad || !isTestable(at)) continue;
    best = at;
    distance = from;
  }
  return best;
}

/** With so many pairs the odds of a commit that is either before or after are 10^13 : 1; one that is still undecided is neither. */
function usualMost({ shift, noise }: Posterior): number {
  return Math.min(500, Math.max(12, Math.ceil(60 * (noise / shift) ** 2)));
}

function isExhausted(
  count: number,
  share: number,
  { most, limit }: { readonly most: number; readonly limit: number },
): boolean {
  const isUndecided = share > 1 - limit && share < limit;
  return count >= 2 * most || (count >= most && isUndecided);
}

/** The last testable commit without the group and the first one with it: the answer rests on them. */
function neighboursOf(
  suspects: Suspects,
  { commits }: Group,
  isTestable: (commit: number) => boolean,
): readonly number[] {
  const [first = 0] = commits;
  const bad = badOf(suspects);
  const found: number[] = [];
  let after = first;
  while (after < bad && !(isTestable(after) && partsOf(suspects, after)[first] === 1)) after++;
  if (after < bad) found.push(after);
  const parts = partsOf(suspects, after);
  for (let before = first - 1; before >= 0; before--) {
    if (parts[before] !== 1 || !isTestable(before)) continue;
    found.push(before);
    break;
  }
  return found;
}

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
  const looks = lookSchedule(options);
  const level = 1 - (1 - options.certainty) / looks.length;
  for (const runs of looks) {
    if (logRatios.length < runs) return { state: 'open', pairs: runs - logRatios.length };
    const unit = pairsAUnit(runs, doSidesChangePlaces);
    const { minEffect } = options;
    const judgement = judgeLogRatios(inUnits(logRatios.slice(0, runs), unit), { level, minEffect });
    if (judgement.verdict === 'same') return { state: 'none', judgement };
    // A difference of any size has a commit, also one that is not surely beyond the smallest effect of interest.
    if ((judgement.p ?? 1) <= 1 - level && judgement.effect) return { state: 'clear', judgement };
    if (runs === looks.at(-1)) return { state: 'none', judgement };
  }
  return { state: 'open', pairs: looks[0] ?? FIRST_LOOK };
}

const FIRST_LOOK = 6;
/** At a noise of 7 % a pair this still shows 2 % in nine of ten searches. */
const MOST_PAIRS = 192;

function lookSchedule({ mostPairs }: SearchOptions): readonly number[] {
  const most = Math.max(FIRST_LOOK, mostPairs === undefined ? MOST_PAIRS : 8 * mostPairs);
  const moments: number[] = [];
  for (let runs = FIRST_LOOK; runs < most; runs *= 2) moments.push(runs);
  return [...moments, most];
}
