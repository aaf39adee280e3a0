import { type Html, html } from '../../platform/core/text/html.ts';
import { type Canvas, label, px, type Rect, raw } from './drawing.ts';
import type { Scale } from './scale.ts';
import { textWidth } from './text-width.ts';

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
export function planBottom(texts: readonly string[], step: number, isCategory: boolean): BottomPlan {
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

export function drawBottom(scale: Scale, plan: BottomPlan, area: Rect, canvas: Canvas): Html {
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
export function leftRoom(scale: Scale): number {
  const widest = Math.max(
    0,
    ...scale.ticks.slice(0, 500).map(({ text }) => textWidth(text.slice(0, 60), SIZE)),
  );
  return Math.min(170, widest) + 12 + (scale.label === '' ? 0 : 20);
}

export function drawLeft(scale: Scale, area: Rect, canvas: Canvas): Html {
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
