import { type HistorySeries, withDots } from '../../../charts/page/history.ts';
import type { GroupAnalysis } from '../../core/analysis/duet-analysis.ts';

/** Ratios as dots by their place, with the estimate and its interval, and the line of no difference. */
export function ratioLines(
  ratios: readonly number[],
  { judgement: { effect } }: GroupAnalysis,
  name: string,
): readonly HistorySeries[] {
  const places = ratios.map((_, place) => place);
  const flat = (value: number) => places.map(() => value);
  // An interval without an end has no band that could be drawn.
  const hasBand = effect !== undefined && Number.isFinite(effect.high) && effect.low > 0;
  const lines: readonly HistorySeries[] = [
    { name: 'no difference', times: places, values: flat(1), hue: 7, isBackdrop: true },
    ...(effect
      ? [
          {
            ...{ name: 'estimate', times: places, values: flat(effect.ratio), hue: 1, isBackdrop: true },
            ...(hasBand && { low: flat(effect.low), high: flat(effect.high) }),
          },
        ]
      : []),
  ];
  return withDots(lines, { name, times: places, values: ratios, hue: 0, isDots: true });
}
