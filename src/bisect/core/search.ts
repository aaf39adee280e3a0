import { pairsAUnit, unitRatios } from '../../duet/core/pair-plan.ts';

/**
 * The commits among which the culprit is, oldest first, each after its parents; the last one is the bad one. What lies
 * before all of them is the good one.
 */
export interface Suspects {
  /** Of each commit, those of its parents that are suspects as well. */
  readonly parents: readonly (readonly number[])[];
  /** How likely each is before anything is measured, relative to the others. */
  readonly weights: readonly number[];
}

/** One pair of the good commit and another one: the natural logarithm of its value over that of the good one. */
export interface MeasuredPair {
  readonly commit: number;
  readonly logRatio: number;
}

/** All that was found out, in the order in which it was. */
export interface Evidence {
  readonly pairs: readonly MeasuredPair[];
  /** Commits that cannot be measured: they do not build, do not run, or give no value. */
  readonly skipped: ReadonlySet<number>;
  /** From pair to pair of a commit: two of them, one each way, are one run of the statistics where there are enough. */
  readonly doSidesChangePlaces?: boolean;
}

export interface SearchOptions {
  /** How probable the answer has to be: 0.95. */
  readonly certainty: number;
  /** The smallest effect of interest, as a fraction. */
  readonly minEffect: number;
  /** Maximum of pairs per commit; absent: as many as the noise requires. */
  readonly mostPairs?: number;
}

export interface Search {
  readonly suspects: Suspects;
  readonly evidence: Evidence;
  readonly options: SearchOptions;
}

/** The commit that is known to be bad. */
export function badOf({ parents }: Suspects): number {
  return parents.length - 1;
}

/** A mark at each commit that is part of this one: itself and all before it. */
export function partsOf({ parents }: Suspects, commit: number): Uint8Array {
  const marks = new Uint8Array(parents.length);
  marks[commit] = 1;
  // Parents come before their children, so one way down meets all.
  for (let at = commit; at >= 0; at--) {
    if (marks[at] === 1) for (const parent of parents[at] ?? []) marks[parent] = 1;
  }
  return marks;
}

/** The pairs of each commit, in their order. */
export function ratiosByCommit({ pairs }: Evidence): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const { commit, logRatio } of pairs) {
    const list = found.get(commit);
    if (list) list.push(logRatio);
    else found.set(commit, [logRatio]);
  }
  return found;
}

/**
 * How many pairs are one run of the statistics; the same for all commits, so that their noise is one. Pairs of a commit
 * come by twos.
 */
export function unitOf({ pairs, doSidesChangePlaces = false }: Evidence): 1 | 2 {
  return pairsAUnit(pairs.length, doSidesChangePlaces);
}

/** Pairs as runs of the statistics. */
export function inUnits(logRatios: readonly number[], unit: 1 | 2): Float64Array {
  return unitRatios(
    logRatios.map((logRatio, pair) => ({ pair, logRatio })),
    unit,
  );
}

/** Commits that no measurement can distinguish, because those between them cannot be measured. */
export interface Group {
  /** In their order. */
  readonly commits: readonly number[];
  readonly probability: number;
}

/** The most probable group; one commit where everything can be measured. */
export function likeliestGroup(
  suspects: Suspects,
  probabilities: Float64Array,
  isTestable: (commit: number) => boolean,
): Group {
  const groups = new Map<number | string, { commits: number[]; probability: number }>();
  for (const [commit, key] of keysOf(suspects, isTestable).entries()) {
    const group = groups.get(key) ?? { commits: [], probability: 0 };
    groups.set(key, group);
    group.commits.push(commit);
    group.probability += probabilities[commit] ?? 0;
  }
  let best: Group = { commits: [], probability: -1 };
  for (const group of groups.values()) if (group.probability > best.probability) best = group;
  return best;
}

/** The same key for commits that are parts of the same testable commits. */
function keysOf(
  { parents }: Suspects,
  isTestable: (commit: number) => boolean,
): readonly (number | string)[] {
  const testable = parents.map((_, at) => isTestable(at));
  return isChain(parents) ? chainKeys(testable) : branchKeys({ parents, weights: [] }, testable);
}

function isChain(parents: Suspects['parents']): boolean {
  return parents.every((list, at) =>
    at === 0 ? list.length === 0 : list.length === 1 && list[0] === at - 1,
  );
}

/** In a chain the next testable commit decides. */
function chainKeys(testable: readonly boolean[]): readonly number[] {
  const keys = new Array<number>(testable.length);
  let next = testable.length;
  for (let at = testable.length - 1; at >= 0; at--) {
    if (testable[at]) next = at;
    keys[at] = next;
  }
  return keys;
}

function branchKeys(suspects: Suspects, testable: readonly boolean[]): readonly (number | string)[] {
  if (!testable.includes(false)) return testable.map((_, at) => at);
  const [one, two] = [new Int32Array(testable.length), new Int32Array(testable.length)];
  for (const [at, isTestable] of testable.entries()) {
    if (!isTestable) continue;
    const parts = partsOf(suspects, at);
    for (let part = 0; part <= at; part++) {
      if (parts[part] !== 1) continue;
      // Two hashes of the list of testable commits: the list itself would be long for thousands of commits.
      one[part] = Math.imul((one[part] ?? 0) ^ (at + 1), 0x01000193);
      two[part] = (Math.imul(two[part] ?? 0, 31) + at + 7) | 0;
    }
  }
  return testable.map((_, at) => `${one[at]} ${two[at]}`);
}
