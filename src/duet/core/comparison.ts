import type { AbsentMeasure, Measure } from '../../executors/core/measures.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { mean, median } from '../../stats/summary.ts';
import { beyondOf, correctJudgements, type Judgement } from '../../stats/verdict.ts';
import type { JudgedMeasure } from './judge-measures.ts';

/** together: both at once; alternate: A B B A; one-after-another: all of A, then all of B. */
export type PairMode = 'together' | 'alternate' | 'one-after-another';

/** Two commands that were run in pairs, and what that says. */
export interface Comparison {
  readonly mode: PairMode;
  readonly seed: number;
  /** Values of the parameters in the commands, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly sides: Readonly<Record<Side, MeasuredSide>>;
  /** That of the measure that decided; its p is corrected for the number of measures that may decide. */
  readonly judgement: Judgement;
  readonly decidedBy: Measure;
  /** Those that may decide, in the order in which they are asked. */
  readonly deciders: readonly Measure[];
  /** All that were judged, the one that decided among them. */
  readonly measures: readonly JudgedMeasure[];
  /** What was wanted and could not be measured, or not finely enough to be judged. */
  readonly absent: readonly AbsentMeasure[];
  /** Share of its time in which a side had work for a CPU, in the last pair of the warm-up; see `Timing.runnable`. */
  readonly runnable?: Readonly<Record<Side, number>>;
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
  /** Mean over the runs, seconds; absent where the system does not report it. */
  readonly user?: number;
  readonly system?: number;
  /** Of the same runs, in their order: CPU time in seconds. Counts are those of the pairs that were counted. */
  readonly measured?: Readonly<Partial<Record<Measure, readonly number[]>>>;
}

/** The numbers of one side, seconds; as hyperfine names them. */
interface SideSummary {
  readonly mean: number;
  /** Of the sample, the divisor being n - 1; absent with a single run. */
  readonly stddev?: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly user?: number;
  readonly system?: number;
}

/** Undefined when nothing was measured. */
export function sideSummary({ times, user, system }: MeasuredSide): SideSummary | undefined {
  if (times.length === 0) return undefined;
  const center = mean(times);
  const squares = times.reduce((sum, time) => sum + (time - center) ** 2, 0);
  const sorted = Float64Array.from(times).sort();
  return {
    mean: center,
    ...(times.length > 1 && { stddev: Math.sqrt(squares / (times.length - 1)) }),
    median: median(times),
    min: sorted[0] ?? center,
    max: sorted.at(-1) ?? center,
    ...(user !== undefined && { user }),
    ...(system !== undefined && { system }),
  };
}

/** What a gate lets pass. */
export interface Gate {
  /** A slowdown that is let through, as a fraction: 0.02 lets 2 % pass. */
  readonly allow: number;
  /** Also what is only likely beyond the smallest effect of interest, and beyond what is let through. */
  readonly orLikely: boolean;
}

/** B is surely slower than it may be; with `orLikely` also what is likely so. */
export function isRegression(
  { judgement }: Pick<Comparison, 'judgement'>,
  { allow, orLikely }: Gate,
): boolean {
  const { verdict, likely, effect } = judgement;
  if (!effect || (verdict !== 'slower' && !(orLikely && likely === 'slower'))) return false;
  const found = beyondOf(effect, allow);
  return found === 'surely' || (orLikely && found === 'likely');
}

/** Keeps the expected share of false ones among those called faster or slower at 1 - level. One comparison stays as it is. */
export function correctMany(comparisons: readonly Comparison[], level: number): readonly Comparison[] {
  if (comparisons.length < 2) return comparisons;
  const judged = correctJudgements(
    comparisons.map(({ judgement }) => judgement),
    1 - level,
  );
  return comparisons.map((comparison, index) => {
    const { judgement = comparison.judgement, adjustedP, heldBack } = judged[index] ?? {};
    return {
      ...comparison,
      judgement,
      ...(adjustedP !== undefined && { adjustedP }),
      ...(heldBack !== undefined && { notes: [...comparison.notes, heldBack] }),
    };
  });
}
