import { formatNumber } from '../../../platform/core/text/numbers.ts';
import { chartRange } from '../../core/chart-range.ts';
import { SHADES } from '../../core/draw-heat-map.ts';
import type { FieldChart } from './chart-options.ts';

/** Which shade is which value. */
export function ShadeKey({ charts }: { readonly charts: readonly FieldChart[] }) {
  const range = chartRange(charts);
  const [first] = charts;
  if (range === undefined || first?.type !== 'heatmap') return null;
  const { unit, label, scale } = first.value;
  return (
    <p class="shade-key">
      <span>{formatNumber(range.low, unit)}</span>
      <span class="shades" aria-hidden="true">
        {SHADES.map((shade) => (
          <span key={shade} class="shade" style={{ '--shade': shade }} />
        ))}
      </span>
      <span>{formatNumber(range.high, unit)}</span>
      <span class="quiet">
        {label}
        {scale === 'log' ? ', logarithmic' : ''}
      </span>
    </p>
  );
}
