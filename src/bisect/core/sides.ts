import { badOf, partsOf, type Suspects } from './search.ts';
import { sum } from './sureness.ts';

/** Of each commit, how unsure it is on which side of the culprit it lies; of two culprits, each is one to be found. */
export function doubtsOf(
  suspects: Suspects,
  masses: readonly Float64Array[],
): readonly (readonly [number, number])[] {
  const total = sum(masses.map(sum));
  const doubts = new Float64Array(suspects.parents.length);
  for (const mass of masses) {
    const own = sum(mass) / total;
    if (!(own > 0)) continue;
    for (const [at, share] of sharesOf(suspects, mass).entries())
      doubts[at] = (doubts[at] ?? 0) + own * share * (1 - share);
  }
  return [...doubts.entries()];
}

/** Probability that the culprit is a part of the commit, for each. */
export function sharesOf(suspects: Suspects, mass: Float64Array): Float64Array {
  const total = sum(mass);
  const shares = new Float64Array(mass.length);
  for (const [at, parents] of suspects.parents.entries()) {
    const [parent, ...others] = parents;
    const own = (mass[at] ?? 0) / total;
    if (others.length === 0) {
      shares[at] = own + (parent === undefined ? 0 : (shares[parent] ?? 0));
      continue;
    }
    // Behind a merge the parts of the parents overlap: they are counted one by one.
    const parts = partsOf(suspects, at);
    let share = 0;
    for (let part = 0; part <= at; part++) if (parts[part] === 1) share += mass[part] ?? 0;
    shares[at] = share / total;
  }
  return shares;
}

/** The last testable commit without the answer, which may be the good one, and the first one with it. */
export function neighboursOf(
  suspects: Suspects,
  commits: readonly number[],
  isTestable: (commit: number) => boolean,
): readonly number[] {
  const [first = 0, last = 0] = [commits[0], commits.at(-1)];
  const bad = badOf(suspects);
  let after = last;
  while (after < bad && !(isTestable(after) && partsOf(suspects, after)[last] === 1)) after++;
  const parts = partsOf(suspects, after);
  let before = first - 1;
  while (before >= 0 && !(parts[before] === 1 && isTestable(before))) before--;
  return [before, after];
}
