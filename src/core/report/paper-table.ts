import { label, px } from '../charts/drawing.ts';
import { sparkPath } from '../charts/spark.ts';
import { themeOf } from '../charts/theme.ts';
import type { TableCell, TableChart } from '../model/chart.ts';
import { type Html, html } from '../text/html.ts';
import { type Block, PAPER } from './paper.ts';
import { linked, paragraph, space, type TextLook, widthOnPaper, wrapText } from './paper-text.ts';

const LIGHT = themeOf('light');
const LOOK: TextLook = { size: 7.5, fill: LIGHT.ink };
const HEAD: TextLook = { size: 7.5, fill: LIGHT.muted, isBold: true };
const NOTE: TextLook = { size: 8, fill: LIGHT.muted };
const [LINE, PAD, SPARK, MOST_LINES] = [10, 4, 84, 4];
/** Rows that decide how wide columns are: with thousands, the first ones tell enough. */
const MEASURED = 300;

/** A table over the width of the page: its head comes again on each, and a row is never torn. */
export function tableBlocks({ title, subtitle, columns, rows, notes = [] }: TableChart): readonly Block[] {
  const widths = columnWidths(columns, rows);
  const aligns = columns.map(({ align }) => align === 'right');
  const names = columns.map(({ name }) => ({ text: name }));
  const head = rowBlock(names, { widths, aligns, look: HEAD });
  const hasHead = columns.some(({ name }) => name !== '');
  return [
    ...(title === '' ? [] : paragraph(title, { ...HEAD, size: 9, fill: LIGHT.ink })),
    ...(subtitle === undefined ? [] : paragraph(subtitle, NOTE)),
    ...(hasHead ? [{ ...head, keep: 3 * LINE }] : []),
    ...rows.map((row) => ({
      ...rowBlock(
        columns.map((_, at) => row[at] ?? { text: '' }),
        { widths, aligns, look: LOOK },
      ),
      ...(hasHead && { again: head }),
    })),
    space(6),
    ...(rows.length === 0 ? paragraph('no data', NOTE) : []),
    ...notes.flatMap((note) => paragraph(note, NOTE)),
  ];
}

interface RowLook {
  readonly widths: readonly number[];
  readonly aligns: readonly boolean[];
  readonly look: TextLook;
}

function rowBlock(cells: readonly TableCell[], { widths, aligns, look }: RowLook): Block {
  const texts = cells.map(({ text }, at) =>
    wrapText(text, look, { width: (widths[at] ?? 0) - 2 * PAD, most: MOST_LINES }),
  );
  const height = Math.max(1, ...texts.map(({ length }) => length)) * LINE + 5;
  return {
    height,
    draw(top) {
      const marks: Html[] = [];
      let left: number = PAPER.left;
      for (const [at, cell] of cells.entries()) {
        const width = widths[at] ?? 0;
        marks.push(
          ...cellMarks(cell, texts[at] ?? [], {
            left,
            top,
            width,
            height,
            isRight: aligns[at] ?? false,
            look,
          }),
        );
        left += width;
      }
      marks.push(
        html`<path d="M${px(PAPER.left)} ${px(top + height)}H${px(left)}" stroke="${LIGHT.grid}" stroke-width="0.7"/>`,
      );
      return marks;
    },
  };
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly isRight: boolean;
  readonly look: TextLook;
}

function cellMarks(
  { tone = 0, link, spark }: TableCell,
  lines: readonly string[],
  place: Place,
): readonly Html[] {
  const { left, top, width, height, isRight, look } = place;
  const marks: Html[] = [];
  if (tone !== 0)
    marks.push(
      html`<rect x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}" fill="${tone > 0 ? LIGHT.better : LIGHT.worse}"/>`,
    );
  for (const [index, line] of lines.entries()) {
    const y = top + 10 + index * LINE;
    const at = [isRight ? left + width - PAD : left + PAD, y] as const;
    marks.push(linked(label(line, { at, ...look, anchor: isRight ? 'end' : 'start' }), link));
  }
  if (spark) {
    const { path } = sparkPath(spark, SPARK - 2 * PAD, 12);
    if (path !== '')
      marks.push(
        html`<g transform="translate(${px(left + width - SPARK + PAD)} ${px(top + 1.5)})"><path d="${path}" fill="none" stroke="${LIGHT.series[0] ?? LIGHT.ink}" stroke-width="1"/></g>`,
      );
  }
  return marks;
}

/** What each column asks for; where that is more than there is, the widest give most. */
function columnWidths(columns: TableChart['columns'], rows: TableChart['rows']): readonly number[] {
  const room = PAPER.right - PAPER.left;
  const wanted = columns.map(({ name }, at) => {
    let most = widthOnPaper(name, HEAD);
    for (const row of rows.slice(0, MEASURED)) {
      const { text = '', spark } = row[at] ?? {};
      most = Math.max(most, widthOnPaper(text.slice(0, 200), LOOK) + (spark ? SPARK - 2 * PAD : 0));
    }
    return most + 2 * PAD + 1;
  });
  const total = wanted.reduce((sum, width) => sum + width, 0);
  if (total <= room) return wanted;
  const limit = limitFor(wanted, room);
  return wanted.map((width) => Math.min(width, limit));
}

/** The width at which columns are cut off so that all of them fill the room. */
function limitFor(wanted: readonly number[], room: number): number {
  let [left, count] = [room, wanted.length];
  for (const width of wanted.toSorted((a, b) => a - b)) {
    if (width >= left / count) break;
    left -= width;
    count--;
  }
  return left / Math.max(1, count);
}
