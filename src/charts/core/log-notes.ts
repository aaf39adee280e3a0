import { counted } from '../../platform/core/text/numbers.ts';
import type { Axis } from './chart.ts';

/** What a logarithmic axis cannot show is counted, not lost in silence. */
export function logNotes({ scale }: Axis, lists: readonly (readonly number[])[]): readonly string[] {
  if (scale !== 'log') return [];
  const lost = lists.reduce((sum, values) => sum + values.filter((value) => value <= 0).length, 0);
  return lost === 0
    ? []
    : [`Not drawn, as a logarithmic axis has no place for 0 and below: ${counted(lost, 'value')}.`];
}
