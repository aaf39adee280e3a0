import type { Shift } from '../../../home/core/changes/change-record.ts';
import { counted, formatNumber, plainly } from '../../../platform/core/text/numbers.ts';
import type { Drift } from '../levels/levels.ts';
import { effectText, signed } from './change-text.ts';

/** "drifts by +9.8 % (+9.4 to +10.2) over 200 values, +0.0493 % each": of a level that is none. */
export function driftText({ start, end, perPoint }: Drift, unit: string): string {
  const { difference, relative } = perPoint;
  const each = relative ? `${signed(100 * relative.change, '')} %` : signed(difference, unit);
  return `drifts by ${effectText(times(perPoint, end - 1 - start), unit)} over ${counted(end - start, 'value')}, ${each} each`;
}

function times({ difference, low, high, relative, level }: Shift, factor: number): Shift {
  const scaled = { difference: difference * factor, low: low * factor, high: high * factor, level };
  if (!relative) return scaled;
  const { change, low: least, high: most } = relative;
  return { ...scaled, relative: { change: change * factor, low: least * factor, high: most * factor } };
}
