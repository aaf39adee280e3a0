import { seededRandom, shuffle } from '../../stats/random.ts';
import { type Evidence, GOOD } from './search.ts';

/** A pair that is to be measured. */
export interface Visit {
  readonly commit: number;
  /** One that exists, or the next number. */
  readonly build: number;
}

/** How often each commit and each of its builds was measured. */
export class Tally {
  readonly #builds = new Map<number, Map<number, number>>();
  readonly #lost: ReadonlySet<string>;
  #goodBuild = 0;
  /** Number of the next round. */
  round = 0;

  constructor({ pairs, lost = new Set() }: Evidence) {
    this.#lost = lost;
    for (const { commit, build, goodBuild, round } of pairs) {
      this.#count(commit, build);
      this.#goodBuild = Math.max(this.#goodBuild, goodBuild);
      this.round = Math.max(this.round, round + 1);
    }
  }

  has(commit: number): boolean {
    return this.#builds.has(commit);
  }

  commits(): readonly number[] {
    return [...this.#builds.keys()];
  }

  pairs(commit: number): number {
    return this.#ofBuilds(commit).reduce((sum, pairs) => sum + pairs, 0);
  }

  /** Builds of the commit that were measured; of the good one those beside the one that all are compared with. */
  builds(commit: number): number {
    return this.#builds.get(commit)?.size ?? 0;
  }

  /** Pairs of the second best known build of the commit; of the good one of the best known beside the first. */
  pairsOfSecond(commit: number): number {
    const sorted = [...this.#ofBuilds(commit)].sort((a, b) => b - a);
    return sorted[commit === GOOD ? 0 : 1] ?? 0;
  }

  /** All builds so far, the good one's first included. */
  used(): number {
    return [...this.#builds.values()].reduce((sum, builds) => sum + builds.size, 1);
  }

  /**
   * Rounds of one pair for each entry, in random order, of that build of its commit which has the fewest pairs. `isNew`
   * asks for another build of it.
   */
  plan(
    entries: readonly { readonly commit: number; readonly isNew?: boolean }[],
    { rounds, seed }: { readonly rounds: number; readonly seed: number },
  ): readonly (readonly Visit[])[] {
    const counts = new Map(
      entries.map(({ commit, isNew = false }) => [commit, this.#choices(commit, isNew)] as const),
    );
    return Array.from({ length: rounds }, (_, at) => {
      const visits = entries.map(({ commit }) => ({
        commit,
        build: takeFewest(counts.get(commit) ?? new Map()),
      }));
      return shuffle(visits, seededRandom(seed + 7919 * (this.round + at)));
    });
  }

  #choices(commit: number, isNew: boolean): Map<number, number> {
    const there = [...(this.#builds.get(commit) ?? [])].filter(
      ([build]) => !this.#lost.has(`${commit} ${build}`),
    );
    if (!isNew && there.length > 0) return new Map(there);
    const numbers = [...(this.#builds.get(commit)?.keys() ?? []), commit === GOOD ? this.#goodBuild : -1];
    return new Map([...there, [Math.max(...numbers) + 1, 0]]);
  }

  #count(commit: number, build: number): void {
    const builds = this.#builds.get(commit) ?? new Map<number, number>();
    this.#builds.set(commit, builds);
    builds.set(build, (builds.get(build) ?? 0) + 1);
  }

  #ofBuilds(commit: number): readonly number[] {
    return [...(this.#builds.get(commit)?.values() ?? [])];
  }
}

function takeFewest(counts: Map<number, number>): number {
  let [found, fewest] = [0, Number.POSITIVE_INFINITY];
  for (const [build, pairs] of counts) if (pairs < fewest) [found, fewest] = [build, pairs];
  counts.set(found, fewest + 1);
  return found;
}
