import { type Html, html } from '../../platform/core/text/html.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import type { TableCell, TableChart } from './chart.ts';
import { type Canvas, type Drawing, label, px, raw, textWidth } from './drawing.ts';
import { drawHead, drawNotes, headHeight } from './frame.ts';

const ROW = 24;
const LEFT = 16;
/** A picture of more is not read; the page has them all. */
const MAX_ROWS = 200;
const MAX_CELL = 260;

/** A table as a picture; in a page it is a table (see tableHtml). */
export function drawTable(chart: TableChart, canvas: Canvas): Drawing {
  const rows = chart.rows.slice(0, MAX_ROWS);
  const left = chart.rows.length - rows.length;
  const notes = [
    ...(chart.rows.length === 0 ? ['no data'] : []),
    ...(left > 0 ? [`… and ${counted(left, 'more row', 'more rows')}`] : []),
    ...(chart.notes ?? []),
  ];
  const widths = columnWidths(chart, rows, canvas.width - 2 * LEFT);
  const top = headHeight(chart);
  const header = chart.columns.map(({ name }) => ({ text: name }));
  const place = { chart, widths, canvas };
  const body = html`${drawHead(chart, canvas)}${drawRow(header, top, { ...place, isBold: true })}${rows.map(
    (row, index) => drawRow(row, top + (index + 1) * ROW, { ...place, isBold: false }),
  )}${drawNotes(notes, top + (rows.length + 1) * ROW + 16, canvas)}`;
  return {
    width: canvas.width,
    height: top + (rows.length + 1) * ROW + notes.length * 16 + 10,
    body,
    hits: [],
  };
}

function columnWidths({ columns }: TableChart, rows: TableChart['rows'], room: number): readonly number[] {
  const wanted = columns.map(({ name }, column) =>
    rows.reduce(
      (widest, row) =>
        Math.max(widest, Math.min(MAX_CELL, textWidth((row[column]?.text ?? '').slice(0, 80), 12) + 16)),
      Math.min(MAX_CELL, textWidth(name.slice(0, 80), 12) * 1.1 + 16),
    ),
  );
  const total = wanted.reduce((sum, width) => sum + width, 0);
  return wanted.map((width) => (total > room ? (width / total) * room : width));
}

interface RowPlace {
  readonly chart: TableChart;
  readonly widths: readonly number[];
  readonly canvas: Canvas;
  readonly isBold: boolean;
}

function drawRow(
  cells: readonly TableCell[],
  top: number,
  { chart, widths, canvas, isBold }: RowPlace,
): Html {
  const { theme } = canvas;
  let from = LEFT;
  const drawn = widths.map((width, column) => {
    const cell = cells[column] ?? { text: '' };
    const isRight = chart.columns[column]?.align === 'right';
    const tone = Math.sign(cell.tone ?? 0);
    const shade =
      tone === 0
        ? ''
        : `<rect x="${px(from)}" y="${px(top)}" width="${px(width)}" height="${ROW}" fill="${tone > 0 ? theme.better : theme.worse}"/>`;
    const at = [isRight ? from + width - 8 : from + 8, top + 16] as const;
    from += width;
    return html`${raw(shade)}${label(cell.text, { at, fill: theme.ink, anchor: isRight ? 'end' : 'start', isBold, room: width - 12 })}`;
  });
  return html`<g>${drawn}${raw(`<path d="M${LEFT} ${px(top + ROW)}H${px(from)}" stroke="${theme.grid}"/>`)}</g>`;
}
