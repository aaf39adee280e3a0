import { mean } from '../../stats/summary.ts';
import { judgeLogRatios, type RatioEffect } from '../../stats/verdict.ts';
import type { Posterior } from './posterior.ts';
import { badOf, type Group, inUnits, partsOf, ratiosByCommit, type Search, unitOf } from './search.ts';

export interface Likely {
  readonly commit: number;
  readonly probability: number;
}

/** The answer of a search. */
export interface Conclusion {
  /** The culprit; several where those between them could not be measured. Most probable first. */
  readonly culprits: readonly Likely[];
  /** Probability that it is (one of) them. */
  readonly certainty: number;
  /** The value of what has the culprit over that of the good commit. */
  readonly effect: RatioEffect;
  /** The next ones, most probable first. */
  readonly runnersUp: readonly Likely[];
  /** Measured commits that are neither like the good one nor like the bad one: perhaps more than one commit did it. */
  readonly between: readonly { readonly commit: number; readonly ratio: number }[];
}

export function conclude(
  { suspects, evidence, options }: Search,
  { group, posterior }: { readonly group: Group; readonly posterior: Posterior },
): Conclusion {
  const ratios = ratiosByCommit(evidence);
  const [first = badOf(suspects)] = group.commits;
  const after = [...ratios].filter(([commit]) => partsOf(suspects, commit)[first] === 1);
  const pooled = Float64Array.from(after.flatMap(([, list]) => [...inUnits(list, unitOf(evidence))]));
  const { effect } = judgeLogRatios(pooled, { level: 0.95, minEffect: options.minEffect });
  const likely = likeliest(posterior.probabilities);
  const isCulprit = new Set(group.commits);
  return {
    culprits: likely.filter(({ commit }) => isCulprit.has(commit)),
    certainty: Math.min(group.probability, 1),
    // The first duet alone has at least six pairs.
    effect: effect ?? {
      ratio: Math.exp(posterior.shift),
      low: 0,
      high: Number.POSITIVE_INFINITY,
      level: 0.95,
    },
    runnersUp: likely
      .filter(({ commit, probability }) => !isCulprit.has(commit) && probability >= LEAST_SHOWN)
      .slice(0, MOST_SHOWN),
    between: between(ratios, posterior),
  };
}

const LEAST_SHOWN = 0.001;
const MOST_SHOWN = 3;
/** Standard errors: a commit so far from both is none of them. */
const FAR = 4;
/** Fewer pairs say too little of a commit. */
const ENOUGH = 4;

function likeliest(probabilities: Float64Array): readonly Likely[] {
  const all = Array.from(probabilities, (probability, commit) => ({ commit, probability }));
  return all.sort((a, b) => b.probability - a.probability || a.commit - b.commit);
}

function between(
  ratios: ReadonlyMap<number, readonly number[]>,
  { shift, noise }: Posterior,
): Conclusion['between'] {
  return [...ratios].flatMap(([commit, list]) => {
    const centre = mean(Float64Array.from(list));
    const error = noise / Math.sqrt(list.length);
    const isFar = Math.min(Math.abs(centre), Math.abs(centre - shift)) > FAR * error;
    return list.length >= ENOUGH && isFar ? [{ commit, ratio: Math.exp(centre) }] : [];
  });
}
