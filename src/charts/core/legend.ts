import { type Html, html } from '../../platform/core/text/html.ts';
import { type Canvas, label, px } from './drawing.ts';
import { seriesLook } from './series-look.ts';
import { textWidth } from './text-width.ts';

export interface Legend {
  readonly height: number;
  draw(left: number, top: number): Html;
}

const SIZE = 12;
const ROW = 20;
const MAX_ROWS = 3;
const MAX_NAME = 220;
const SWATCH = 22;

interface Item {
  readonly index: number;
  readonly name: string;
  readonly x: number;
  readonly row: number;
  readonly width: number;
}

interface LegendCanvas extends Canvas {
  /** Stands in front of the names; empty: nothing does. */
  readonly title: string;
  /** Of bars: a box of the colour. Else a line with its mark. */
  readonly isOfBars: boolean;
}

/** Names of the series in rows above the chart; what does not fit into three rows is counted, and named in its title. */
export function legendOf(names: readonly string[], room: number, canvas: LegendCanvas): Legend {
  if (names.length === 0 || (names.length === 1 && names[0] === '')) return { height: 0, draw: () => html`` };
  const { title, theme } = canvas;
  const indent = title === '' ? 0 : Math.min(MAX_NAME, textWidth(title.slice(0, 200), SIZE)) + 14;
  const items = placed(names, room, indent);
  const rest = names.slice(items.length);
  const rows = (items.at(-1)?.row ?? 0) + 1 + (rest.length > 0 ? 1 : 0);
  return {
    height: rows * ROW + 4,
    draw: (left, top) =>
      html`<g class="nm-legend">${
        title !== '' && label(title, { at: [left, top + 14], fill: theme.muted, size: SIZE, room: MAX_NAME })
      }${items.map((item) => drawItem(item, [left, top], canvas))}${
        rest.length > 0 &&
        html`<g>${label(`… and ${rest.length} more`, {
          at: [left, top + (rows - 1) * ROW + 14],
          fill: theme.muted,
          size: SIZE,
        })}<title>${rest.slice(0, 200).join('\n')}</title></g>`
      }</g>`,
  };
}

function placed(names: readonly string[], room: number, indent: number): readonly Item[] {
  const items: Item[] = [];
  let x = indent;
  let row = 0;
  for (const [index, name] of names.entries()) {
    const width = SWATCH + Math.min(MAX_NAME, textWidth(name.slice(0, 200), SIZE)) + 18;
    if (x > indent && x + width > room) {
      x = indent;
      row++;
    }
    if (row >= MAX_ROWS) break;
    items.push({ index, name, x, row, width });
    x += width;
  }
  return items;
}

function drawItem(
  { index, name, x, row, width }: Item,
  [left, top]: readonly [number, number],
  canvas: LegendCanvas,
): Html {
  const look = seriesLook(index, canvas.theme);
  const middle = top + row * ROW + 10;
  const from = left + x;
  const swatch = canvas.isOfBars
    ? html`<path d="M${px(from + 2)} ${px(middle - 6)}h12v12h-12z" fill="${look.colour}"/>`
    : html`<path d="M${px(from)} ${px(middle)}h16" stroke="${look.colour}" stroke-width="3"${look.dash}/>${look.marker(from + 8, middle)}`;
  return html`<g data-toggle="${index}"><rect x="${px(from)}" y="${px(middle - 10)}" width="${px(width - 8)}" height="${ROW}" fill-opacity="0"/>${swatch}${label(
    name,
    { at: [from + SWATCH, middle + 4], fill: canvas.theme.ink, size: SIZE, room: MAX_NAME },
  )}</g>`;
}
