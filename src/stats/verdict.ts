import { NightmarkError } from '../platform/core/errors.ts';
import { type Centre, centreOf } from './centre.ts';
import { requireFinite } from './requirements.ts';
import { medianAbsoluteDeviation } from './robust-estimates.ts';
import { welchTest } from './t-tests.ts';

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

/** The result of comparing runs, and how many were used. */
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

export interface JudgeOptions {
  /** 0.95: one false alarm in twenty comparisons of a thing with itself. */
  readonly level: number;
  /** The smallest effect of interest, as a fraction. */
  readonly minEffect: number;
}

/** Judges the natural logarithms of B / A, one of each independent run, in the order of the runs. */
export function judgeLogRatios(logRatios: Float64Array, options: JudgeOptions): Judgement {
  requireOptions(options);
  const { level, minEffect } = options;
  const runs = logRatios.length;
  if (runs > 0) requireFinite(logRatios);
  if (runs < 2) {
    const notes = [`${runs === 1 ? 'One run has' : 'No runs have'} no spread: at least two are needed.`];
    return { verdict: 'undecided', minEffect, runs, notes };
  }
  const alpha = 1 - level;
  const found = centreOf(logRatios, alpha);
  const effect = ratioEffect(found, alpha);
  const verdict = verdictOf(found, alpha, minEffect);
  const notes = judgementNotes(logRatios, { found, alpha, verdict });
  return { verdict, effect, p: found.p, minEffect, runs, notes };
}

/** Wholly within the smallest effect of interest: same. Otherwise the side of 1 on which the interval lies. */
export function decide(effect: RatioEffect, minEffect: number): Verdict {
  if (isWithin(effect, minEffect)) return 'same';
  if (effect.low > 1) return 'slower';
  return effect.high < 1 ? 'faster' : 'undecided';
}

function verdictOf(found: Centre, alpha: number, minEffect: number): Verdict {
  if (!found.canDecide) return 'undecided';
  // Equivalence: both one-sided tests at alpha, which is the interval with alpha on either side (Schuirmann 1987).
  if (isWithin(ratioEffect(found, 2 * alpha), minEffect)) return 'same';
  return decide(ratioEffect(found, alpha), minEffect);
}

function isWithin({ low, high }: RatioEffect, minEffect: number): boolean {
  return low > 1 / (1 + minEffect) && high < 1 + minEffect;
}

function ratioEffect(found: Centre, alpha: number): RatioEffect {
  const { low, high } = found.limits(alpha);
  return { ratio: Math.exp(found.centre), low: Math.exp(low), high: Math.exp(high), level: 1 - alpha };
}

function requireOptions({ level, minEffect }: JudgeOptions): void {
  if (!(level > 0.5 && level < 1)) {
    throw new NightmarkError('STATS_LEVEL', `There is no verdict at level ${level}.`, {
      hint: 'Give a level between 0.5 and 1, such as 0.95.',
    });
  }
  if (!(minEffect >= 0 && Number.isFinite(minEffect))) {
    throw new NightmarkError('STATS_MIN_EFFECT', `The smallest effect of interest cannot be ${minEffect}.`, {
      hint: 'Give a fraction from 0 on, such as 0.01 for 1 %.',
    });
  }
}

/** Judges B against A from logarithms of times that are not pairs: Welch's interval of the difference of their means. */
export function judgeUnpaired(
  a: Float64Array,
  b: Float64Array,
  { level, minEffect }: JudgeOptions,
): Judgement {
  const runs = Math.min(a.length, b.length);
  if (runs < 2) {
    const notes = ['A side with fewer than two runs has no spread: at least two are needed.'];
    return { verdict: 'undecided', minEffect, runs, notes };
  }
  const { estimate, low, high, p } = welchTest(b, a, { level });
  const effect = { ratio: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high), level };
  // Equivalence is two one-sided tests at 1 - level each: the interval of 2 * level - 1.
  const narrow = welchTest(b, a, { level: 2 * level - 1 });
  const isSame =
    decide({ ...effect, low: Math.exp(narrow.low), high: Math.exp(narrow.high) }, minEffect) === 'same';
  return { verdict: isSame ? 'same' : decide(effect, minEffect), effect, p, minEffect, runs, notes: [] };
}

export interface JudgedRuns {
  readonly found: Centre;
  readonly alpha: number;
  readonly verdict: Verdict;
}

/** What weakens a judgement, one sentence each. */
function judgementNotes(logRatios: Float64Array, judged: JudgedRuns): readonly string[] {
  return [
    smallDifference(judged),
    fewRuns(logRatios, judged),
    farOut(logRatios, judged),
    alike(logRatios),
  ].filter((note) => note !== undefined);
}

function smallDifference({ found, alpha, verdict }: JudgedRuns): string | undefined {
  if (verdict !== 'same' || found.p > alpha) return undefined;
  return `There is a difference (ratio ${Math.exp(found.centre).toFixed(4)}), but a smaller one than the smallest effect of interest.`;
}

function fewRuns(logRatios: Float64Array, { found, alpha }: JudgedRuns): string | undefined {
  const runs = logRatios.length;
  const needed = Math.ceil(1 - Math.log2(alpha));
  if (found.method === 'none') {
    const all = `All ${runs} runs gave the same ratio, so there is no spread to judge by`;
    return found.canDecide
      ? `${all}: only that they agree counts.`
      : `${all}: ${needed} runs that agree would decide.`;
  }
  if (runs >= needed) return undefined;
  return `With ${runs} runs the answer holds only if the noise is normal. Use ${needed} or more runs.`;
}

/** Thousands of normal values have none so far out; ranks do not mind, but people want to know. */
const FAR_OUT = 8;

function farOut(logRatios: Float64Array, { found }: JudgedRuns): string | undefined {
  const limit = FAR_OUT * medianAbsoluteDeviation(logRatios);
  const isFar = (value: number) => limit > 0 && Math.abs(value - found.centre) > limit;
  const far = Array.from(logRatios.keys(), (run) => run + 1).filter((run) => isFar(logRatios[run - 1] ?? 0));
  if (far.length === 0 || logRatios.length < 5) return undefined;
  const [first] = far as [number, ...number[]];
  const ratio = Math.exp(logRatios[first - 1] ?? 0).toPrecision(3);
  return `${far.length === 1 ? `Run ${first} lies` : `${far.length} runs lie`} far outside the others (run ${first}: ratio ${ratio}).`;
}

/** Neighbours among independent runs agree this much in one of a hundred comparisons. */
const NEIGHBOURS_AGREE = 2.33;
const RUNS_FOR_NEIGHBOURS = 10;

function alike(logRatios: Float64Array): string | undefined {
  const runs = logRatios.length;
  if (runs < RUNS_FOR_NEIGHBOURS) return undefined;
  const correlation = neighbourCorrelation(logRatios);
  if (!((correlation + 1 / runs) * Math.sqrt(runs) > NEIGHBOURS_AGREE)) return undefined;
  return `Neighbouring runs resemble each other (correlation ${correlation.toFixed(2)}): the interval is narrower than it should be. Swap sides and cores at random between runs, or wait between them.`;
}

/** Over the ranks of the values, so that one value far out does not hide what the others do. */
function neighbourCorrelation(values: Float64Array): number {
  const order = Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Float64Array(values.length);
  for (const [rank, index] of order.entries()) ranks[index] = rank - (values.length - 1) / 2;
  let products = 0;
  let squares = 0;
  for (const [index, rank] of ranks.entries()) {
    squares += rank * rank;
    products += rank * (ranks[index + 1] ?? 0);
  }
  return products / squares;
}
