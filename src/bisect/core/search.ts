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

/** The good commit on both sides of a pair: another build of it shows what a build alone changes. */
export const GOOD = -1;

/** One pair of the good commit and another one. */
export interface MeasuredPair {
  /** A suspect, or GOOD. */
  readonly commit: number;
  /** Which build of the commit, and of the good one on the other side; from 0 on. */
  readonly build: number;
  readonly goodBuild: number;
  /** Pairs of one round follow each other, in a random order of their commits: what the machine does, it does to all. */
  readonly round: number;
  readonly order: 'AB' | 'BA';
  /** By measure: the natural logarithm of the value of the commit over that of the good one. */
  readonly logRatios: Readonly<Record<string, number>>;
}

/** All that was found out, in the order in which it was. */
export interface Evidence {
  readonly pairs: readonly MeasuredPair[];
  /** Commits that cannot be measured: they do not build, do not run, or give no value. */
  readonly skipped: ReadonlySet<number>;
  /** Builds that were measured and are gone, as "commit build". */
  readonly lost?: ReadonlySet<string>;
}

export interface SearchOptions {
  /** How probable the answer has to be: 0.95. */
  readonly certainty: number;
  /** The smallest effect of interest, as a fraction. */
  readonly minEffect: number;
  /** Maximum of pairs per commit; absent: as many as the noise requires. */
  readonly mostPairs?: number;
  /** Maximum of builds, those of the good commit included. */
  readonly mostBuilds: number;
  /** What a build takes, in pairs. */
  readonly buildCost?: number;
}

export interface Search {
  readonly suspects: Suspects;
  readonly evidence: Evidence;
  readonly options: SearchOptions;
  /** Of the order of commits within rounds. */
  readonly seed: number;
}

/** The commit that is known to be bad. */
export function badOf({ parents }: Suspects): number {
  return parents.length - 1;
}

/** A mark at each commit that is part of this one: itself and all before it. Nothing is part of the good one. */
export function partsOf({ parents }: Suspects, commit: number): Uint8Array {
  const marks = new Uint8Array(parents.length);
  if (commit === GOOD) return marks;
  marks[commit] = 1;
  // Parents come before their children, so one way down meets all.
  for (let at = commit; at >= 0; at--) {
    if (marks[at] === 1) for (const parent of parents[at] ?? []) marks[parent] = 1;
  }
  return marks;
}
