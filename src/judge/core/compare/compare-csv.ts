import { csvCell } from '../../../platform/core/text/csv.ts';
import type { ComparedRow } from './compared-row.ts';

const HEAD =
  'experiment,path,unit,better,verdict,base,base_runs,head,head_runs,difference,low,high,change,change_low,change_high,p,adjusted_p,basis';

/** One line for each series; empty where something is not known. Names of a path are joined by "/". */
export function compareCsv(rows: readonly ComparedRow[]): string {
  return `${[HEAD, ...rows.map(line)].join('\n')}\n`;
}

function line(row: ComparedRow): string {
  const { experiment, path, unit, better, verdict, base, head, shift, change, p, adjustedP, basis } = row;
  const { relative } = shift ?? {};
  const cells = [
    ...[experiment, path.join('/'), unit, better, verdict],
    ...[base?.value, base?.runs, head?.value, head?.runs],
    ...[shift?.difference, shift?.low, shift?.high, change, relative?.low, relative?.high, p, adjustedP],
    basis.kind === 'past' ? `past ${basis.runs}` : basis.kind,
  ];
  return cells.map((cell) => csvCell(String(cell ?? ''))).join(',');
}
