import { cellValue } from '../plots/cell-value.ts';
import { valuesByRow } from './select-entries.ts';
import type { ExplorerView } from './suggest-view.ts';
import { numbersOf, pointName } from './table-cells.ts';

/** The combination of settings with the best mean. */
export interface BestPoint {
  readonly value: number;
  readonly tests: number;
  /** "users=16, model=m1"; empty when nothing varies. */
  readonly name: string;
  /** How many combinations there are to choose from. */
  readonly of: number;
}

/** Undefined where nobody said which direction is better, or there is no value. */
export function bestPoint(view: ExplorerView): BestPoint | undefined {
  const { kpi, axes, selection } = view;
  if (kpi.better === 'unknown') return undefined;
  const groups = new Map<string, { readonly row: number; readonly lists: (readonly number[])[] }>();
  const valueAt = valuesByRow(kpi);
  for (const row of selection.rows) {
    const key = axes.map(({ codes }) => codes[row]).join(' ');
    const group = groups.get(key) ?? { row, lists: [] };
    groups.set(key, group);
    const values = numbersOf(valueAt(row));
    if (values.length > 0) group.lists.push(values);
  }
  const sign = kpi.better === 'lower' ? 1 : -1;
  const points = [...groups.values()]
    .map(({ row, lists }) => ({ row, cell: cellValue(lists, 'tests') }))
    .filter(({ cell }) => cell.count > 0)
    .sort((a, b) => sign * (a.cell.mean - b.cell.mean));
  const [first] = points;
  if (first === undefined) return undefined;
  const { mean: value, count: tests } = first.cell;
  return { value, tests, name: pointName(axes, first.row, 40), of: points.length };
}
