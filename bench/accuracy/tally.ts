import type { Judgement } from '../../src/stats/verdict.ts';

/** What became of many comparisons with one true effect. */
export interface Tally {
  readonly effect: number;
  readonly repetitions: number;
  /** The interval leaves out 1. */
  readonly differs: number;
  /** The interval holds the true ratio. */
  readonly covered: number;
  readonly same: number;
  /** Judged slower or faster. */
  readonly decided: number;
  readonly runs: number;
  /** Mean width of the interval, as a fraction. */
  readonly width: number;
}

export interface Counter {
  add(judgement: Judgement): void;
  tally(): Tally;
}

/** Counts judgements of comparisons whose true log ratio is `effect`. */
export function makeCounter(effect: number): Counter {
  const counts = { repetitions: 0, differs: 0, covered: 0, same: 0, decided: 0, runs: 0, width: 0 };
  const truth = Math.exp(effect);
  return {
    add({ verdict, effect: found, runs }) {
      const { low, high } = found ?? { low: 0, high: Number.POSITIVE_INFINITY };
      counts.repetitions++;
      counts.runs += runs;
      counts.width += high - low;
      if (low > 1 || high < 1) counts.differs++;
      if (low <= truth && truth <= high) counts.covered++;
      if (verdict === 'same') counts.same++;
      if (verdict === 'slower' || verdict === 'faster') counts.decided++;
    },
    tally() {
      const n = counts.repetitions;
      return {
        effect,
        repetitions: n,
        differs: counts.differs / n,
        covered: counts.covered / n,
        same: counts.same / n,
        decided: counts.decided / n,
        runs: counts.runs / n,
        width: counts.width / n,
      };
    },
  };
}
