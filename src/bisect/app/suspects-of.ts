import type { CommitRange } from '../../git/core/commit-history.ts';
import type { Suspects } from '../core/search.ts';

/** The suspects in the form that the mathematics takes. */
export function suspectsOf({ commits }: CommitRange): Suspects {
  const at = new Map(commits.map(({ commit }, index) => [commit, index]));
  const known = (hash: string) => {
    const index = at.get(hash);
    return index === undefined ? [] : [index];
  };
  return {
    parents: commits.map(({ parents }) => parents.flatMap(known)),
    weights: commits.map(({ isLikely }) => (isLikely ? LIKELY : 1)),
  };
}

/** A commit that touches a likely path weighs as much as ten others. */
const LIKELY = 10;
