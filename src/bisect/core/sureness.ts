import type { Group } from './groups.ts';
import type { Posterior } from './posterior.ts';

/** The least probability in all cases of how much builds differ that the pairs leave plausible. */
export function sureOf(posterior: Posterior, commits: readonly number[]): number {
  const one = worstCase(posterior, commits);
  return sum(commits.map((commit) => one[commit] ?? 0));
}

export function worstCase({ one, cases }: Posterior, commits: readonly number[]): Float64Array {
  const of = (probabilities: Float64Array) => sum(commits.map((commit) => probabilities[commit] ?? 0));
  const plausible = cases.filter(({ probability }) => probability >= PLAUSIBLE);
  return plausible.reduce((worst, it) => (of(it.one) < of(worst) ? it.one : worst), one);
}

/** How much builds differ is not ruled out while it is so probable: the answer has to hold there too. */
const PLAUSIBLE = 0.03;

/** The fewest groups, most probable first, that are sure enough together. */
export function smallestSet(
  groups: readonly Group[],
  posterior: Posterior,
  target: number,
): readonly number[] | undefined {
  const set: number[] = [];
  for (const { commits } of groups) {
    set.push(...commits);
    if (sureOf(posterior, set) >= target) return set.sort((a, b) => a - b);
  }
  return undefined;
}

/** That more than one commit made the difference. */
export function severalOf({ spread, two }: Posterior): number {
  return spread + sum(two.map(sum));
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
