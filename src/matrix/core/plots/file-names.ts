import type { ChartPlot } from '../../../formats/core/kpi/workload.ts';

/** report_00_kpi_table or fig_03_lines: number of the plot in its query, and its id. */
export function plotFileName({ id, isReport }: ChartPlot, index: number): string {
  return `${isReport ? 'report' : 'fig'}_${String(index).padStart(2, '0')}_${safeName(id)}`;
}

/** The folder of a filter, which holds "=" and ","; nothing in it leads anywhere else. */
export function filterFolder(filter: string): string {
  return safeName(filter);
}

/** Names come from files and modules of users, and become names on disk. */
function safeName(text: string): string {
  const safe = text.replace(/[^\w=.,:@+-]/g, '_').slice(0, 150);
  return /^\.*$/.test(safe) ? `_${safe}` : safe;
}
