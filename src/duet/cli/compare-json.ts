import { type Comparison, isRegression, type MeasuredSide, sideSummary } from '../core/comparison.ts';
import { verdictSentence } from '../core/verdict-sentence.ts';

/** What --json prints for a comparison; described in docs/reference/duet-json.md. Times are seconds. */
export function comparisonJson(comparison: Comparison, allow: number) {
  const { judgement, sides, notes, skewNs, ...rest } = comparison;
  const { verdict, effect, p, minEffect, runs } = judgement;
  return {
    verdict,
    sentence: verdictSentence(comparison),
    ...(effect && {
      ratio: effect.ratio,
      interval: { low: effect.low, high: effect.high, level: effect.level },
    }),
    ...(p !== undefined && { p }),
    minEffect,
    allow,
    regression: isRegression(comparison, allow),
    pairs: Math.min(sides.A.times.length, sides.B.times.length),
    runs,
    ...rest,
    ...(skewNs !== undefined && { skew: skewNs / 1e9 }),
    sides: { A: sideJson(sides.A), B: sideJson(sides.B) },
    notes,
  };
}

function sideJson(side: MeasuredSide) {
  const { name, command, times, exitCodes } = side;
  return { name, command, ...sideSummary(side), times, exitCodes };
}
