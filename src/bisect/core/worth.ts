import type { Posterior } from './posterior.ts';
import type { SearchOptions } from './search.ts';
import type { Tally } from './tally.ts';

/** More pairs of a commit, of the builds that it has or of a new one. */
export interface Action {
  readonly commit: number;
  readonly isNew: boolean;
  /** Information on which side of the change the commit is, in nats, and what it takes, in pairs. */
  readonly gain: number;
  readonly cost: number;
}

/** What is worth measuring next. */
export class Worth {
  /** Pairs in one go: enough to see half of the difference. */
  readonly stride: number;
  readonly #posterior: Posterior;
  readonly #tally: Tally;
  readonly #options: SearchOptions;
  readonly #shiftSquare: number;

  constructor(posterior: Posterior, tally: Tally, options: SearchOptions) {
    const { shift, noise } = posterior;
    this.#posterior = posterior;
    this.#tally = tally;
    this.#options = options;
    this.#shiftSquare = shift.mean ** 2 + shift.error ** 2;
    const wanted = Math.ceil((4 * noise ** 2) / this.#shiftSquare);
    this.stride = Math.min(MOST_STRIDE, Math.max(2, wanted));
  }

  /** The action with the most information for its cost; undefined where none is worth it. `doubts`: chance p of either side as p (1 - p). */
  best(doubts: Iterable<readonly [commit: number, doubt: number]>): Action | undefined {
    // Who wants to be surer has smaller doubts left to end.
    const part = Math.min(1, (1 - this.#options.certainty) / USUAL_DOUBT);
    let best: Action | undefined;
    for (const [commit, doubt] of doubts)
      for (const action of this.#actions(commit, doubt)) {
        const isWorth = action.gain > part * LEAST_GAIN && action.gain > part * action.cost * LEAST_A_PAIR;
        if (isWorth && (!best || action.gain / action.cost > best.gain / best.cost)) best = action;
      }
    return best;
  }

  #actions(commit: number, doubt: number): readonly Action[] {
    const { mostPairs, mostBuilds, buildCost = BUILD_COST } = this.#options;
    const [pairs, builds] = [this.#tally.pairs(commit), this.#tally.builds(commit)];
    const now = this.#precision(builds, pairs);
    if (now * this.#shiftSquare > CLEAR ** 2) return [];
    const gain = (next: number) => Math.min(ENTROPY * doubt, 0.5 * doubt * this.#shiftSquare * (next - now));
    const cost = this.stride * WITH_REFERENCES;
    const found: Action[] = [];
    if (builds > 0 && (mostPairs === undefined || pairs < mostPairs * builds))
      found.push({ commit, isNew: false, cost, gain: gain(this.#precision(builds, pairs + this.stride)) });
    if (this.#tally.used() < mostBuilds - RESERVED) {
      const next = this.#precision(builds + 1, pairs + this.stride);
      found.push({ commit, isNew: true, cost: cost + buildCost, gain: gain(next) });
    }
    return found;
  }

  /** Of the level of a commit as a sign of its side: builds of it, as far as they are drawn anew, and pairs. */
  #precision(builds: number, pairs: number): number {
    if (builds === 0) return 0;
    const { noise, builds: own, rebuilds } = this.#posterior;
    const redrawn = own > 0 ? rebuilds / own : 0;
    return 1 / (own ** 2 * (redrawn / builds + 1 - redrawn) + noise ** 2 / pairs);
  }
}

/** Builds for the check at the end: the neighbours of the answer, once more. */
export const RESERVED = 2;
const MOST_STRIDE = 60;
/** Every second pair is of a commit that is known. */
const WITH_REFERENCES = 1.5;
/** What a build takes, in pairs, where that is not known. */
const BUILD_COST = 10;
/** A level that is known to this part of the difference leaves no doubt that more pairs could end. */
const CLEAR = 12;
/** The entropy of chances p and 1 - p is about this times p (1 - p). */
const ENTROPY = 2.8;
/** At the usual certainty of 95 %, for which the next two are. */
const USUAL_DOUBT = 0.05;
/** An action with less information, in nats, does not help. */
const LEAST_GAIN = 0.002;
/** The same for each pair: at this rate hundreds of them would change little. */
const LEAST_A_PAIR = 1 / 3000;
