import { median } from '../../stats/summary.ts';
import { badOf, type Evidence, inUnits, partsOf, ratiosByCommit, type Suspects, unitOf } from './search.ts';

/** What the pairs say of each commit. */
export interface Posterior {
  /** Probability that it is the culprit; all together 1. */
  readonly probabilities: Float64Array;
  /** The effect, as a logarithm, and the standard deviation of one pair, without what swapped places take out. */
  readonly shift: number;
  readonly noise: number;
}

/**
 * Exactly one commit changed the time, by an unknown factor; pairs of commits before it scatter around 0, all
 * others around the logarithm of the factor, with one noise. Factor and noise are integrated out (flat priors for the
 * factor and for the logarithm of the noise), so that what is unknown of them does not make the answer too sure.
 */
export function posteriorOf(suspects: Suspects, evidence: Evidence): Posterior {
  const unit = unitOf(evidence);
  const ratios = new Map(
    [...ratiosByCommit(evidence)].map(([commit, list]) => [commit, inUnits(list, unit)] as const),
  );
  const shift = median(ratios.get(badOf(suspects)) ?? Float64Array.of(0));
  const floor = Math.abs(shift) * LEAST_NOISE;
  const noise = Math.max(noiseOf(ratios), floor);
  const sums = [...ratios].map(([commit, list]) => sumUp(list, { commit, shift, noise }));
  const logs = logLikelihoods(suspects, sums, floor * floor);
  const probabilities = normalise(logs, suspects.weights);
  // The mean of two pairs scatters less by the root of 2.
  return { probabilities, shift, noise: noise * Math.sqrt(unit) };
}

/** Pairs that agree to the last digit do not prove a machine without noise. */
const LEAST_NOISE = 1 / 50;
/** Of a normal distribution one value in 370 lies farther out. */
const OUTLIER = 3;

interface Sums {
  readonly commit: number;
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

/** From differences of neighbours, so that it does not matter around what the pairs of a commit scatter. */
function noiseOf(ratios: ReadonlyMap<number, Float64Array>): number {
  const differences: number[] = [];
  for (const list of ratios.values()) {
    for (let at = 1; at < list.length; at += 2) {
      differences.push(Math.abs((list[at] ?? 0) - (list[at - 1] ?? 0)));
    }
  }
  // 1.4826 makes the median of absolute values a standard deviation; the difference of two has the root of 2 more.
  return differences.length === 0 ? 0 : (1.4826 * median(Float64Array.from(differences))) / Math.SQRT2;
}

/** Outliers are pulled in to where they are still unlikely under both: one hiccup of the machine must not decide. */
function sumUp(
  list: Float64Array,
  { commit, shift, noise }: { readonly commit: number; readonly shift: number; readonly noise: number },
): Sums {
  const low = Math.min(0, shift) - OUTLIER * noise;
  const high = Math.max(0, shift) + OUTLIER * noise;
  let sum = 0;
  let squares = 0;
  for (const value of list) {
    const pulled = Math.min(high, Math.max(low, value));
    sum += pulled;
    squares += pulled * pulled;
  }
  return { commit, count: list.length, sum, squares };
}

function logLikelihoods(suspects: Suspects, all: readonly Sums[], floor: number): Float64Array {
  const size = suspects.parents.length;
  const after = { count: new Float64Array(size), sum: new Float64Array(size) };
  let [count, squares] = [0, 0];
  for (const sums of all) {
    count += sums.count;
    squares += sums.squares;
    const parts = partsOf(suspects, sums.commit);
    for (let at = 0; at < size; at++) {
      if (parts[at] !== 1) continue;
      after.count[at] = (after.count[at] ?? 0) + sums.count;
      after.sum[at] = (after.sum[at] ?? 0) + sums.sum;
    }
  }
  return after.count.map((n, at) => {
    const explained = n === 0 ? 0 : (after.sum[at] ?? 0) ** 2 / n;
    const rest = squares - explained + count * floor;
    return -0.5 * Math.log(Math.max(n, 1)) - ((count - 1) / 2) * Math.log(Math.max(rest, Number.MIN_VALUE));
  });
}

function normalise(logs: Float64Array, weights: readonly number[]): Float64Array {
  const most = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const found = logs.map((log, at) => (weights[at] ?? 0) * Math.exp(log - most));
  const total = found.reduce((a, b) => a + b, 0);
  return found.map((value) => value / total);
}

/** What is probably still to be done. */
export interface Remaining {
  /** Commits to be built and measured. */
  readonly commits: number;
  readonly pairs: number;
}

/**
 * From what is still unknown, in nats, over the information of a pair. With a distance d between the two hypotheses in units of
 * the noise a pair at even odds yields about d^2 / 8, and no more than one bit; near the end it shifts the odds by d^2 / 2.
 */
export function estimateRemaining(
  { probabilities, shift, noise }: Posterior,
  { certainty }: { readonly certainty: number },
): Remaining {
  let unknown = 0;
  for (const p of probabilities) if (p > 0) unknown -= p * Math.log(p);
  const square = (shift / noise) ** 2;
  const commits = Math.max(1, Math.ceil(unknown / Math.LN2 - ROUNDING));
  const halving = unknown / Math.min(Math.LN2 / 2, square / 8);
  const ending = Math.log(certainty / (1 - certainty)) / (square / 2);
  return { commits, pairs: Math.max(2 * commits, Math.ceil(halving + ending - ROUNDING)) };
}

/** Six halvings shall not become seven by the last digit. */
const ROUNDING = 1e-6;

/** The same while the noise is unknown: for a plan. */
export function estimateHalvings(suspects: number): number {
  return Math.max(1, Math.ceil(Math.log2(suspects)));
}
