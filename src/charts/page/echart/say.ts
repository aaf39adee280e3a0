import { formatNumber } from '../../../platform/core/text/numbers.ts';
import { localText } from '../../../platform/page/parts/moment.tsx';
import type { Axis } from '../../core/chart.ts';

/** A value of an axis in words. */
export function sayer(axis: Axis): (value: number) => string {
  if (axis.scale === 'category') return (place) => axis.categories?.[place] ?? String(place);
  if (axis.scale === 'time') return localText;
  return (value) => (Number.isNaN(value) ? 'no value' : formatNumber(value, axis.unit));
}

/** Whether the axis has a place for it. */
export function isPlaced({ scale }: Axis, value: number): boolean {
  return Number.isFinite(value) && (scale !== 'log' || value > 0);
}
