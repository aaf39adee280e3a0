import type { PlotPart, TableCell } from '../../../charts/core/chart.ts';

/** A report before it is HTML, Markdown or pages: its headings, sentences, tables and charts in their order. */
export interface ReportDocument {
  readonly title: string;
  readonly parts: readonly PlotPart[];
}

export interface ReportTable {
  readonly title?: string;
  /** A name that ends in ">" is a column of numbers. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (TableCell | string)[])[];
  /** More rows are counted, not shown. */
  readonly most?: number;
  readonly notes?: readonly string[];
}

export function heading(level: 1 | 2 | 3, text: string): PlotPart {
  return { type: 'heading', level, text };
}

export function sentence(text: string): PlotPart {
  return { type: 'text', text };
}

/** A table of at most so many rows, with a sentence about the others. */
export function table({ title = '', columns, rows, most = 200, notes = [] }: ReportTable): PlotPart {
  const left = rows.length - most;
  return {
    type: 'chart',
    chart: {
      type: 'table',
      title,
      columns: columns.map((name) =>
        name.endsWith('>') ? { name: name.slice(0, -1), align: 'right' } : { name },
      ),
      rows: rows
        .slice(0, most)
        .map((row) => row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell))),
      notes: [
        ...(left > 0
          ? [left === 1 ? 'and 1 more row that is not shown' : `and ${left} more rows that are not shown`]
          : []),
        ...notes,
      ],
    },
  };
}

/** "2026-01-31 02:00 UTC": a report is read in other places than it was made in. */
export function timeText(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function dayText(at: number): string {
  return timeText(at).slice(0, 10);
}
