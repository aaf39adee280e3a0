import { type Measure, measureText } from '../../executors/core/measures.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { Judgement, RatioEffect } from '../../stats/verdict.ts';
import type { Comparison } from './comparison.ts';
import type { JudgedMeasure } from './judge-measures.ts';

/** Who was compared, and what was found. */
interface Judged {
  readonly judgement: Judgement;
  readonly sides: Readonly<Record<Side, { readonly name: string }>>;
  /** Wall time where it is absent. */
  readonly decidedBy?: Measure;
  readonly measures?: readonly JudgedMeasure[];
}

/** The answer in one plain sentence: "B is 2.1 % slower than A"; with the measure where it is not wall time that decided. */
export function verdictSentence(judged: Judged): string {
  const { decidedBy = 'wall', measures = [], judgement } = judged;
  const sentence = plainSentence(judged);
  if (decidedBy === 'wall') return sentence;
  const wall = measures.find(({ measure }) => measure === 'wall')?.judgement;
  const isOpen = judgement.verdict !== 'undecided' && wall?.verdict === 'undecided' && wall.effect;
  const beside = isOpen
    ? `; wall time is undecided (${change(wall.effect.low)} to ${change(wall.effect.high)})`
    : '';
  return `${sentence} by ${measureText(decidedBy)}${beside}`;
}

function plainSentence({ judgement, sides: { A, B } }: Judged): string {
  const { verdict, likely, effect, minEffect } = judgement;
  if (!effect) return `Undecided: too few pairs to compare ${A.name} and ${B.name}`;
  switch (verdict) {
    case 'same':
      return `${A.name} and ${B.name} are the same within ${percent(minEffect)}`;
    case 'undecided':
      if (likely)
        return `${B.name} is likely ${change(effect.ratio)} than ${A.name}, but not surely by more than ${percent(minEffect)}`;
      return `Undecided: ${B.name} may be anything from ${change(effect.low)} to ${change(effect.high)} than ${A.name}`;
    case 'slower':
      return effect.ratio >= 2
        ? `${B.name} takes ${factor(effect.ratio)} times as long as ${A.name}`
        : `${B.name} is ${change(effect.ratio)} than ${A.name}`;
    case 'faster':
      return effect.ratio <= 0.5
        ? `${A.name} takes ${factor(1 / effect.ratio)} times as long as ${B.name}`
        : `${B.name} is ${change(effect.ratio)} than ${A.name}`;
  }
}

/** What the sentence rests on: "ratio 1.021, 95 % interval 1.012 to 1.030; 20 pairs, together". */
export function verdictBasis({ judgement, mode, sides, state, planned, pairsARun }: Comparison): string {
  const pairs =
    mode === 'one-after-another'
      ? `${sides.A.times.length} and ${sides.B.times.length} runs`
      : `${sides.A.times.length}${state === 'complete' ? '' : ` of ${planned}`} ${planned === 1 ? 'pair' : 'pairs'}${pairsARun === 2 ? ', two of them a run' : ''}`;
  const how = `${pairs}, ${mode.replaceAll('-', ' ')}${state === 'interrupted' ? ', interrupted' : ''}`;
  return judgement.effect ? `${ratioText(judgement)}; ${how}` : how;
}

/** "ratio 1.021, 95 % interval 1.012 to 1.030"; empty where there are too few runs. */
export function ratioText({ effect }: Judgement): string {
  if (!effect) return '';
  const digits = digitsFor(effect);
  const [ratio, low, high] = [effect.ratio, effect.low, effect.high].map((it) => it.toFixed(digits));
  return `ratio ${ratio}, ${percent(effect.level)} interval ${low} to ${high}`;
}

/** What might help when it is undecided. */
export function verdictAdvice(comparison: Comparison): string | undefined {
  const { judgement, state } = comparison;
  if (judgement.verdict !== 'undecided' || state === 'interrupted') return undefined;
  // Whichever may be the first to decide.
  const open = comparison.measures.filter(({ measure }) => comparison.deciders.includes(measure));
  const runs = open.flatMap((one) => pairsNeeded(one.judgement) ?? []);
  const needed = runs.length > 0 ? Math.min(...runs) * comparison.pairsARun : undefined;
  if (needed === undefined) return undefined;
  if (needed > MAX_PRACTICAL)
    return 'More runs will hardly decide: the difference is too small for this much noise.';
  return `About ${roundUp(needed)} pairs might decide (--runs ${roundUp(needed)}).`;
}

const MAX_PRACTICAL = 100_000;

/** A fraction as a percentage, with no more digits than it needs: 0.95 is "95 %". */
export function percent(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(4))} %`;
}

/** 1.021 is "2.1 % slower", 0.979 is "2.1 % faster": always in terms of the time of A. */
function change(ratio: number): string {
  const size = Math.abs(ratio - 1) * 100;
  const digits = size >= 9.95 ? 0 : size >= 0.0995 ? 1 : 2;
  return `${size.toFixed(digits)} % ${ratio < 1 ? 'faster' : 'slower'}`;
}

function factor(ratio: number): string {
  return ratio < 99.95 ? ratio.toFixed(1) : ratio.toFixed(0);
}

/** To a third of the interval's half width or finer; three decimals at least where ratios are near 1. */
function digitsFor({ low, high, ratio }: RatioEffect): number {
  const half = (high - low) / 2;
  const needed = half > 0 ? Math.ceil(-Math.log10(half / 3)) : 3;
  return Math.min(6, Math.max(ratio < 10 ? 3 : 1, needed));
}

/** Two digits are more than such an estimate is worth. */
function roundUp(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / step) * step;
}

/**
 * About how many pairs would decide, if ratio and spread stay as they are: the interval narrows with the square root of
 * the pairs, until it lies wholly beyond the smallest effect or wholly within it. Undefined when nothing is known.
 */
export function pairsNeeded({ effect, minEffect, runs }: Judgement): number | undefined {
  if (!effect || runs < 2) return undefined;
  const half = Math.log(effect.high / effect.low) / 2;
  const center = Math.abs(Math.log(effect.ratio));
  const wanted = Math.abs(Math.log1p(minEffect) - center);
  if (!(half > 0 && wanted > 0)) return undefined;
  return Math.max(runs + 1, Math.round(runs * (half / wanted) ** 2));
}
