import { counted } from '../../../platform/core/text/numbers.ts';
import type { NoiseSummary } from '../../app/machines/machine-view.ts';

/** How much values vary about their level: half of the series less than this. */
export function Noise({ noise }: { readonly noise: NoiseSummary | undefined }) {
  if (!noise)
    return (
      <span class="quiet" title="Too few values yet: five of a series at one level">
        ~
      </span>
    );
  const { median, low, high, series } = noise;
  const title = `Standard deviation of a value about its level, robust: the median of ${counted(series, 'series', 'series')}; half of them lie in the range`;
  return (
    <span title={title}>
      {percentText(median)}{' '}
      <span class="interval quiet">
        [{percentText(low)}, {percentText(high)}]
      </span>
    </span>
  );
}

/** A fraction without a sign: "1.3 %". */
export function percentText(fraction: number): string {
  const percent = fraction * 100;
  const digits = percent >= 10 ? 1 : percent >= 0.1 ? 2 : 3;
  return `${percent === 0 ? '0' : percent.toFixed(digits)}\u202f%`;
}
