import { NightmarkError } from '../platform/core/errors.ts';
import { type Beyond, beyond } from './beyond.ts';
import { type Centre, centreOf, differenceOf, type Estimand, widened } from './centre.ts';
import { adjustedPValues } from './false-discovery.ts';
import { requireFinite } from './requirements.ts';
import { medianAbsoluteDeviation } from './robust-estimates.ts';
import { FIRST_SIGN, independentRuns, runCorrelation, USUAL_DOUBT, widening } from './run-correlation.ts';
import { momentsOf } from './summary.ts';

/**
 * About B, the contender: faster or slower than A by surely more than the smallest effect of interest, same within it, or
 * undecided.
 */
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
  /** Undecided, but there is a difference, and its estimate lies beyond the smallest effect of interest. */
  readonly likely?: 'faster' | 'slower';
  /** Absent with fewer than two usable runs. */
  readonly effect?: RatioEffect;
  /** What the ratio is: the pseudo-median of the ratios of pairs, or the ratio of the geometric means of both sides. */
  readonly estimand?: 'pseudo-median' | 'geometric-mean';
  /** Two-sided, that there is no difference; absent as above. */
  readonly p?: number;
  /** The smallest effect of interest, as a fraction: 0.01. */
  readonly minEffect: number;
  /** Independent runs that were used: the unit of the statistics. */
  readonly runs: number;
  /** Of neighbouring runs, where it was seen: the interval is wider by it. */
  readonly correlation?: number;
  /** Why no better answer can be given, or what weakens this one; one sentence each. */
  readonly notes: readonly string[];
}

export interface JudgeOptions {
  /** 0.95: one false alarm in twenty comparisons of a thing with itself. */
  readonly level: number;
  /** The smallest effect of interest, as a fraction. */
  readonly minEffect: number;
  /** An early look: more runs can follow, so a first sign that neighbours resemble each other is enough to be careful. */
  readonly isEarly?: boolean;
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
  const plain = centreOf(logRatios, alpha);
  const correlation = plain.method === 'none' ? 0 : runCorrelation([logRatios], doubtOf(options));
  const found = widened(plain, widening(runs, correlation, alpha));
  const judged = judgeCentre(found, { ...options, runs, correlation });
  const notes = [fewRuns(logRatios, found, alpha), farOut(logRatios, found)];
  return withNotes(judged, [...notes, resembling(correlation, runs)]);
}

/** Judges B against A from logarithms of times that are not pairs, each side in the order of its runs. */
export function judgeUnpaired(a: Float64Array, b: Float64Array, options: JudgeOptions): Judgement {
  requireOptions(options);
  const runs = Math.min(a.length, b.length);
  if (runs < 2) {
    const notes = [
      `Side A has ${a.length} and side B ${b.length} usable runs: at least two of each are needed.`,
    ];
    return { verdict: 'undecided', minEffect: options.minEffect, runs, notes };
  }
  const { found, correlation } = twoSides(a, b, { ...options, alpha: 1 - options.level });
  return withNotes(judgeCentre(found, { ...options, runs, correlation }), [resembling(correlation, runs)]);
}

export interface SidesOptions extends Pick<JudgeOptions, 'isEarly'> {
  readonly alpha: number;
  /** Segments of other runs of the same thing, from which the correlation of neighbours is learned too. */
  readonly past?: readonly Float64Array[];
}

export interface TwoSides {
  readonly found: Centre;
  readonly correlation: number;
}

/** How far the mean of B lies above that of A, where the sides are not pairs; wider where neighbouring runs are alike. */
export function twoSides(a: Float64Array, b: Float64Array, options: SidesOptions): TwoSides {
  const { alpha, past = [] } = options;
  const correlation = runCorrelation([a, b, ...past], doubtOf(options));
  const plain = differenceOf(a, b);
  if (correlation === 0) return { found: plain, correlation };
  const errors = [a, b].map((side) => {
    const { n, deviation } = momentsOf(side);
    return { plain: deviation ** 2 / n, factor: widening(n, correlation, alpha) };
  });
  const total = errors.reduce((sum, error) => sum + error.plain, 0);
  const wide = errors.reduce((sum, error) => sum + error.plain * error.factor ** 2, 0);
  return { found: total > 0 ? widened(plain, Math.sqrt(wide / total)) : plain, correlation };
}

function doubtOf({ isEarly = false }: Pick<JudgeOptions, 'isEarly'>): number {
  return isEarly ? FIRST_SIGN : USUAL_DOUBT;
}

interface CentreFacts extends JudgeOptions {
  readonly runs: number;
  readonly correlation: number;
}

/** The rule of every comparison of two sides: same, surely beyond the smallest effect of interest, or undecided. */
function judgeCentre(found: Centre, { level, minEffect, runs, correlation }: CentreFacts): Judgement {
  const effect = ratioEffect(found, 1 - level);
  const facts = {
    ...{ effect, estimand: ESTIMANDS[found.estimand], p: found.pOf(0), minEffect, runs },
    ...(correlation > 0 && { correlation }),
  };
  if (!found.canDecide) return { verdict: 'undecided', ...facts, notes: [] };
  const side = effect.ratio > 1 ? 'slower' : 'faster';
  const isDifferent = effect.low > 1 || effect.high < 1;
  const size = effect.ratio.toFixed(4);
  // Equivalence: both one-sided tests at alpha, which is the interval with alpha on either side (Schuirmann 1987).
  if (isWithin(ratioEffect(found, 2 * (1 - level)), minEffect)) {
    const notes = isDifferent
      ? [`There is a difference (ratio ${size}), but a smaller one than the smallest effect of interest.`]
      : [];
    return { verdict: 'same', ...facts, notes };
  }
  switch (beyondOf(effect, minEffect)) {
    case 'surely':
      return { verdict: side, ...facts, notes: [] };
    case 'likely': {
      const note = `There is a difference (ratio ${size}), likely but not surely beyond the smallest effect of interest.`;
      return { verdict: 'undecided', likely: side, ...facts, notes: [note] };
    }
    case 'no': {
      const note = `There is a difference (ratio ${size}), but hardly one beyond the smallest effect of interest.`;
      return { verdict: 'undecided', ...facts, notes: isDifferent ? [note] : [] };
    }
  }
}

const ESTIMANDS = {
  'pseudo-median': 'pseudo-median',
  mean: 'geometric-mean',
} as const satisfies Record<Estimand, Judgement['estimand']>;

function withNotes(judged: Judgement, more: readonly (string | undefined)[]): Judgement {
  return { ...judged, notes: [...judged.notes, ...more.filter((note) => note !== undefined)] };
}

/** Whether a ratio lies beyond a smallest effect of interest, up or down. */
export function beyondOf({ ratio, low, high }: RatioEffect, minEffect: number): Beyond {
  return beyond({ change: ratio - 1, low: low - 1, high: high - 1 }, minEffect);
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

function fewRuns(logRatios: Float64Array, found: Centre, alpha: number): string | undefined {
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

function farOut(logRatios: Float64Array, found: Centre): string | undefined {
  const limit = FAR_OUT * medianAbsoluteDeviation(logRatios);
  const isFar = (value: number) => limit > 0 && Math.abs(value - found.centre) > limit;
  const far = Array.from(logRatios.keys(), (run) => run + 1).filter((run) => isFar(logRatios[run - 1] ?? 0));
  if (far.length === 0 || logRatios.length < 5) return undefined;
  const [first] = far as [number, ...number[]];
  const ratio = Math.exp(logRatios[first - 1] ?? 0).toPrecision(3);
  return `${far.length === 1 ? `Run ${first} lies` : `${far.length} runs lie`} far outside the others (run ${first}: ratio ${ratio}).`;
}

function resembling(correlation: number, runs: number): string | undefined {
  if (correlation === 0) return undefined;
  const count = Math.round(independentRuns(runs, correlation));
  return `Neighbouring runs resemble each other (correlation ${correlation.toFixed(2)}): ${runs} of them count like ${count}, and the interval is wider. Swap sides and cores at random between runs, or wait between them.`;
}

/** A judgement after correction for the number of comparisons. */
export interface CorrectedJudgement {
  readonly judgement: Judgement;
  readonly adjustedP?: number;
  /** Why it is undecided now. */
  readonly heldBack?: string;
}

/**
 * Of many comparisons some differ by chance: keeps the expected share of false ones among those that are called faster or
 * slower, surely or likely, at `falseShare` (Benjamini and Hochberg).
 */
export function correctJudgements(
  judgements: readonly Judgement[],
  falseShare: number,
): readonly CorrectedJudgement[] {
  const adjusted = adjustedPValues(judgements.map(({ p }) => p));
  return judgements.map((judgement, index) => {
    const adjustedP = adjusted[index];
    if (adjustedP === undefined) return { judgement };
    const { likely, ...rest } = judgement;
    const called = rest.verdict === 'undecided' ? likely && `likely ${likely}` : rest.verdict;
    if (called === undefined || called === 'same' || adjustedP <= falseShare) return { judgement, adjustedP };
    const heldBack = `Alone this would be called ${called}; among ${judgements.length} comparisons it may be chance.`;
    return { judgement: { ...rest, verdict: 'undecided' }, adjustedP, heldBack };
  });
}
