/** About B, the contender: faster or slower than A, same within the smallest effect of interest, or undecided. */
export type Verdict = 'faster' | 'slower' | 'same' | 'undecided';

/** Time of B divided by time of A: above 1, B is slower. */
export interface RatioEffect {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** Probability that the interval holds the true ratio: 0.95. */
  readonly level: number;
}

/** What the runs say, and how much of them was used. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Absent with fewer than two usable runs. */
  readonly effect?: RatioEffect;
  /** Two-sided, that there is no difference; absent as above. */
  readonly p?: number;
  /** The smallest effect of interest, as a fraction: 0.01. */
  readonly minEffect: number;
  /** Independent runs that were used: the unit of the statistics. */
  readonly runs: number;
  /** Why no better answer can be given, or what weakens this one; one sentence each. */
  readonly notes: readonly string[];
}
