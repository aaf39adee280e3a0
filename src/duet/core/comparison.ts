import type { Side } from '../../git/core/version-pairs.ts';
import type { Judgement } from '../../stats/verdict.ts';

/** together: both at once; alternate: A B B A; one-after-another: all of A, then all of B. */
export type PairMode = 'together' | 'alternate' | 'one-after-another';

/** Two commands that were run in pairs, and what that says. */
export interface Comparison {
  readonly mode: PairMode;
  readonly seed: number;
  /** Values of the parameters in the commands, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly sides: Readonly<Record<Side, MeasuredSide>>;
  readonly judgement: Judgement;
  /** The p value after correction for the number of comparisons; the verdict respects it. */
  readonly adjustedP?: number;
  /** decided: a look allowed to end before the planned number of pairs. */
  readonly state: 'complete' | 'decided' | 'interrupted';
  /** Pairs that were to be run. */
  readonly planned: number;
  /** Pairs that count as one run of the judgement: two where the sides changed places from pair to pair. */
  readonly pairsARun: 1 | 2;
  /** Of how many looks this is the verdict; absent without --stop when-decided. */
  readonly look?: { readonly number: number; readonly of: number };
  /** Which side came first, pair by pair. */
  readonly orders: readonly ('AB' | 'BA')[];
  /** Between the starts of the two sides, the median; only for pairs that run together. */
  readonly skewNs?: number;
  /** Share of the longer side's time in which the shorter one had already ended; only for pairs that run together. */
  readonly aloneShare?: number;
  /** Cores of the sides in the first pair; swapped in every other one. */
  readonly cores?: readonly [readonly number[], readonly number[]];
  /** What weakens the answer or explains it, one sentence each. */
  readonly notes: readonly string[];
}

export interface MeasuredSide {
  readonly name: string;
  /** As it was typed, with the values of parameters in it. */
  readonly command: string;
  /** Seconds, one of each run that counts, in the order of the runs. */
  readonly times: readonly number[];
  /** Of the same runs. */
  readonly exitCodes: readonly number[];
  /** Mean over the runs, seconds; absent where the system does not tell. */
  readonly user?: number;
  readonly system?: number;
}
