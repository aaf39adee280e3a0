import { type Html, html } from '../../platform/core/text/html.ts';
import { drawBottom, drawLeft, leftRoom, planBottom } from './axes.ts';
import type { Axis, Chart } from './chart.ts';
import { type Canvas, label, type Rect } from './drawing.ts';
import type { Extent } from './extent.ts';
import { legendOf } from './legend.ts';
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
