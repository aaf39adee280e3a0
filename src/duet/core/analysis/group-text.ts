import { counted } from '../../../platform/core/text/numbers.ts';
import type { Judgement, RatioEffect, Verdict } from '../../../stats/verdict.ts';
import type { GroupAnalysis } from './duet-analysis.ts';

const VERDICTS: readonly Verdict[] = ['slower', 'faster', 'undecided', 'same'];

/** "2 of 14 benchmarks slower, 1 faster, 2 undecided, 9 same within 1 %." */
export function headline(groups: readonly GroupAnalysis[], minEffect: number): string {
  if (groups.length === 0) return 'Nothing to compare.';
  const parts = VERDICTS.flatMap((verdict) => {
    const judged = groups.filter(({ judgement }) => judgement.verdict === verdict);
    if (judged.length === 0) return [];
    const likely = (side: Judgement['likely']) => judged.filter(({ judgement }) => judgement.likely === side);
    const more = (['slower', 'faster'] as const).flatMap((side) =>
      likely(side).length === 0 ? [] : [`${likely(side).length} likely ${side}`],
    );
    const within = verdict === 'same' ? ` within ${percent(minEffect)}` : '';
    return [`${judged.length} ${verdict}${within}${more.length === 0 ? '' : ` (${more.join(', ')})`}`];
  });
  return `${counted(groups.length, 'comparison')}: ${parts.join(', ')}.`;
}

/** About B: "2.1 % slower", "likely 2.1 % slower", "same within 1 %", "undecided". */
export function verdictText({ verdict, likely, effect, minEffect }: Judgement): string {
  if (verdict === 'same') return `same within ${percent(minEffect)}`;
  if (likely && effect) return `likely ${percent(Math.abs(effect.ratio - 1))} ${likely}`;
  if (verdict === 'undecided' || !effect) return 'undecided';
  return `${percent(Math.abs(effect.ratio - 1))} ${verdict}`;
}

/** "1.021 [1.012, 1.030]"; an infinite limit is written as such. */
export function effectText({ ratio, low, high }: RatioEffect): string {
  return `${digits(ratio)} [${digits(low)}, ${digits(high)}]`;
}

/** A fraction as a percentage with three significant digits at most: 0.0214 is "2.14 %". */
export function percent(fraction: number): string {
  if (!Number.isFinite(fraction)) return 'unbounded';
  return `${Number((fraction * 100).toPrecision(3))} %`;
}

/** Ratios near one need their third decimal, large ones do not. */
export function digits(ratio: number): string {
  if (!Number.isFinite(ratio)) return ratio > 0 ? '∞' : 'unknown';
  return ratio >= 10 || ratio < 0.1 ? String(Number(ratio.toPrecision(3))) : ratio.toFixed(3);
}

/** "p = 0.012"; very small ones are given as a bound. */
export function probability(p: number): string {
  if (!Number.isFinite(p)) return 'unknown';
  return p < 0.0001 ? '< 0.0001' : String(Number(p.toPrecision(2)));
}

/** Short unique names of groups: suite, type and environment appear only where they differ. */
export function groupNamer(groups: readonly GroupAnalysis[]): (group: GroupAnalysis) => string {
  const differs = (part: (group: GroupAnalysis) => string) => new Set(groups.map(part)).size > 1;
  const hasSuites = differs(({ suite }) => suite);
  const hasTypes = differs(({ type }) => type);
  const hasPlaces = differs(({ environment }) => environment);
  return ({ suite, benchmark, type, environment }) => {
    const name = hasSuites ? `${suite}/${benchmark}` : benchmark;
    const more = [...(hasTypes ? [type] : []), ...(hasPlaces ? [environment] : [])];
    return more.length === 0 ? name : `${name} (${more.join(', ')})`;
  };
}
