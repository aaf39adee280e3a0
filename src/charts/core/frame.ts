import { type Html, html } from '../../platform/core/text/html.ts';
import type { Axis, Chart } from './chart.ts';
import { type Canvas, label, px, type Rect, raw, seriesStyle, textWidth } from './drawing.ts';
import type { Extent } from './extent.ts';
import { type Scale, scaleOf } from './scale.ts';

/** Everything around the marks of a chart with two axes. */
export interface Frame {
  readonly area: Rect;
  readonly x: Scale;
  readonly y: Scale;
  readonly below: Html;
  readonly above: Html;
  readonly height: number;
}

export interface FrameRequest {
  readonly chart: Chart;
  readonly x: Axis;
  readonly y: Axis;
  readonly xExtent?: Extent | undefined;
  readonly yExtent?: Extent | undefined;
  readonly names: readonly string[];
  readonly notes?: readonly string[];
  readonly isEmpty: boolean;
}

const MARGIN = 16;
const NOTE_ROW = 16;

export function frameOf(request: FrameRequest, canvas: Canvas): Frame {
  const { chart, x, y, names } = request;
  const notes = [...(chart.notes ?? []), ...(request.notes ?? [])].slice(0, 6);
  const head = headHeight(chart);
  const legend = legendOf(names, canvas.width - 2 * MARGIN, {
    ...{ ...canvas, title: chart.legendTitle ?? '' },
    isOfBars: chart.type === 'bars',
  });
  const top = head + legend.height + 8;
  const notesHeight = notes.length * NOTE_ROW;
  const draft = scaleOf(x, request.xExtent, [70, canvas.width - MARGIN - 6]);
  const plan = planBottom(x.categories ?? [], draft.step, x.scale === 'category');
  // However much stands around it, the chart itself keeps a height one can read.
  const bottom = Math.max(top + 120, canvas.height - plan.height - 26 - notesHeight);
  const yScale = scaleOf(y, request.yExtent, [bottom, top]);
  const area = { left: leftRoom(yScale) + 8, top, right: canvas.width - MARGIN - 6, bottom };
  const xScale = scaleOf(x, request.xExtent, [area.left, area.right]);
  return {
    area,
    x: xScale,
    y: yScale,
    height: bottom + plan.height + 26 + notesHeight,
    below: html`${drawHead(chart, canvas)}${drawLeft(yScale, area, canvas)}${drawBottom(xScale, plan, area, canvas)}`,
    above: html`${legend.draw(MARGIN, head)}${request.isEmpty && drawNoData(area, canvas)}${drawNotes(
      notes,
      bottom + plan.height + 32,
      canvas,
    )}`,
  };
}

export function headHeight({ title, subtitle }: Chart): number {
  return 10 + (title === '' ? 0 : 24) + (subtitle === undefined ? 0 : 18);
}

export function drawHead({ title, subtitle }: Chart, { theme, width }: Canvas): Html {
  const room = width - 2 * MARGIN;
  return html`${title !== '' && label(title, { at: [MARGIN, 26], fill: theme.ink, size: 16, isBold: true, room })}${
    subtitle !== undefined &&
    label(subtitle, { at: [MARGIN, title === '' ? 22 : 45], fill: theme.muted, size: 12, room })
  }`;
}

export function drawNotes(notes: readonly string[], top: number, { theme, width }: Canvas): Html {
  return html`${notes.map((note, index) =>
    label(note, {
      at: [MARGIN, top + index * NOTE_ROW],
      fill: theme.muted,
      size: 11,
      room: width - 2 * MARGIN,
    }),
  )}`;
}

function drawNoData({ left, right, top, bottom }: Rect, { theme }: Canvas): Html {
  return label('no data', {
    at: [(left + right) / 2, (top + bottom) / 2],
    fill: theme.muted,
    size: 18,
    anchor: 'middle',
  });
}

const SIZE = 11;
const TURN = -35;
/** Of the turn: a long name must not leave the picture on its left. */
const COSINE = 0.82;
const MAX_TURNED = 130;

/** How the names below the chart are written: level while they fit, else turned, every so many of them. */
export interface BottomPlan {
  readonly height: number;
  readonly isTurned: boolean;
  readonly every: number;
}

/** Room for the names of the x axis, known before the chart is placed. */
function planBottom(texts: readonly string[], step: number, isCategory: boolean): BottomPlan {
  if (!isCategory) return { height: 22, isTurned: false, every: 1 };
  const widest = Math.min(
    MAX_TURNED,
    Math.max(0, ...texts.slice(0, 500).map((text) => textWidth(text.slice(0, 60), SIZE))),
  );
  if (widest + 8 <= step) return { height: 22, isTurned: false, every: 1 };
  return {
    height: 18 + widest * 0.6,
    isTurned: true,
    every: Math.max(1, Math.ceil(16 / Math.max(step, 0.01))),
  };
}

function drawBottom(scale: Scale, plan: BottomPlan, area: Rect, canvas: Canvas): Html {
  const { theme } = canvas;
  const shown = scale.ticks.filter((_, index) => index % plan.every === 0);
  const lines =
    scale.step > 0
      ? ''
      : grid(
          shown.map(({ at }) => `M${px(at)} ${px(area.top)}V${px(area.bottom)}`),
          theme.grid,
        );
  return html`<g>${raw(lines)}${shown.map(({ at, text }) =>
    label(text, {
      at: plan.isTurned ? [at + 4, area.bottom + 14] : [at, area.bottom + 16],
      fill: theme.muted,
      size: SIZE,
      anchor: plan.isTurned ? 'end' : 'middle',
      room: plan.isTurned ? Math.min(MAX_TURNED, at / COSINE) : levelRoom(scale),
      ...(plan.isTurned && { turn: TURN }),
    }),
  )}${label(scale.label, {
    at: [(area.left + area.right) / 2, area.bottom + plan.height + 14],
    fill: theme.ink,
    anchor: 'middle',
    room: area.right - area.left,
  })}</g>`;
}

/** A day of the calendar takes most of what a tick has; see TICK_ROOM. */
function levelRoom({ step }: Scale): number {
  return step > 0 ? Math.max(step - 4, 60) : 90;
}

/** Pixels left of the chart for the names of the y axis. */
function leftRoom(scale: Scale): number {
  const widest = Math.max(
    0,
    ...scale.ticks.slice(0, 500).map(({ text }) => textWidth(text.slice(0, 60), SIZE)),
  );
  return Math.min(170, widest) + 12 + (scale.label === '' ? 0 : 20);
}

function drawLeft(scale: Scale, area: Rect, canvas: Canvas): Html {
  const { theme } = canvas;
  const lines =
    scale.step > 0
      ? ''
      : grid(
          scale.ticks.map(({ at }) => `M${px(area.left)} ${px(at)}H${px(area.right)}`),
          theme.grid,
        );
  const every = scale.step > 0 ? Math.max(1, Math.ceil(13 / scale.step)) : 1;
  return html`<g>${raw(lines)}${scale.ticks
    .filter((_, index) => index % every === 0)
    .map(({ at, text }) =>
      label(text, { at: [area.left - 7, at + 4], fill: theme.muted, size: SIZE, anchor: 'end', room: 165 }),
    )}${label(scale.label, {
    at: [14, (area.top + area.bottom) / 2],
    fill: theme.ink,
    anchor: 'middle',
    turn: -90,
    room: Math.max(60, area.bottom - area.top),
  })}</g>`;
}

function grid(paths: readonly string[], colour: string): string {
  return paths.length === 0
    ? ''
    : `<path d="${paths.join('')}" stroke="${colour}" fill="none" shape-rendering="crispEdges"/>`;
}

export interface Legend {
  readonly height: number;
  draw(left: number, top: number): Html;
}

const LEGEND_SIZE = 12;
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
function legendOf(names: readonly string[], room: number, canvas: LegendCanvas): Legend {
  if (names.length === 0 || (names.length === 1 && names[0] === '')) return { height: 0, draw: () => html`` };
  const { title, theme } = canvas;
  const indent = title === '' ? 0 : Math.min(MAX_NAME, textWidth(title.slice(0, 200), LEGEND_SIZE)) + 14;
  const items = placed(names, room, indent);
  const rest = names.slice(items.length);
  const rows = (items.at(-1)?.row ?? 0) + 1 + (rest.length > 0 ? 1 : 0);
  return {
    height: rows * ROW + 4,
    draw: (left, top) =>
      html`<g class="nm-legend">${
        title !== '' &&
        label(title, { at: [left, top + 14], fill: theme.muted, size: LEGEND_SIZE, room: MAX_NAME })
      }${items.map((item) => drawItem(item, [left, top], canvas))}${
        rest.length > 0 &&
        html`<g>${label(`… and ${rest.length} more`, {
          at: [left, top + (rows - 1) * ROW + 14],
          fill: theme.muted,
          size: LEGEND_SIZE,
        })}<title>${rest.slice(0, 200).join('\n')}</title></g>`
      }</g>`,
  };
}

function placed(names: readonly string[], room: number, indent: number): readonly Item[] {
  const items: Item[] = [];
  let x = indent;
  let row = 0;
  for (const [index, name] of names.entries()) {
    const width = SWATCH + Math.min(MAX_NAME, textWidth(name.slice(0, 200), LEGEND_SIZE)) + 18;
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
  const style = seriesStyle(index, canvas.theme);
  const middle = top + row * ROW + 10;
  const from = left + x;
  const swatch = canvas.isOfBars
    ? html`<path d="M${px(from + 2)} ${px(middle - 6)}h12v12h-12z" fill="${style.colour}"/>`
    : html`<path d="M${px(from)} ${px(middle)}h16" stroke="${style.colour}" stroke-width="3"${style.dash}/>${style.marker(from + 8, middle)}`;
  return html`<g data-toggle="${index}"><rect x="${px(from)}" y="${px(middle - 10)}" width="${px(width - 8)}" height="${ROW}" fill-opacity="0"/>${swatch}${label(
    name,
    { at: [from + SWATCH, middle + 4], fill: canvas.theme.ink, size: LEGEND_SIZE, room: MAX_NAME },
  )}</g>`;
}
