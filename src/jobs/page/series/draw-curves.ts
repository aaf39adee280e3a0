import type UPlot from 'uplot';
import { faded, hueColour, tokenColour } from '../../../charts/page/colours.ts';
import { type CurveStyle, DASHES } from './curve-properties.ts';
import { type Axes, placer, shownPart } from './plot-places.ts';
import { type Curve, smoothed } from './read-curves.ts';

export interface DrawnCurves extends Axes {
  readonly curves: readonly Curve[];
  readonly styleOf: (curve: Curve) => CurveStyle;
  readonly smooth: number;
  /** From 0 to 1. */
  readonly opacity: number;
  readonly at?: readonly [number, number];
}

/**
 * Curves on a plot that has only axes: each has its own x, so that hundreds of them need no common table. Bands first,
 * then the curves as they are where a smoothed one lies over them, then what is not a number.
 */
export function drawCurves(plot: UPlot, drawn: DrawnCurves): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const colours = new Map<number, string>();
  const colourOf = (hue: number) => {
    const known = colours.get(hue) ?? hueColour(hue);
    colours.set(hue, known);
    return known;
  };
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineJoin = 'round';
  for (const curve of drawn.curves)
    drawBand(plot, curve, { ...drawn, colour: colourOf(drawn.styleOf(curve).hue) });
  // Grey ones lie below those with a colour.
  const inOrder = drawn.curves.toSorted((a, b) => Number(isGrey(drawn, b)) - Number(isGrey(drawn, a)));
  for (const curve of inOrder) {
    const { hue, dash } = drawn.styleOf(curve);
    ctx.strokeStyle = colourOf(hue);
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash((DASHES[dash % DASHES.length] ?? []).map((length) => length * ratio));
    if (drawn.smooth > 0) {
      ctx.globalAlpha = drawn.opacity * 0.25;
      strokeLine(plot, curve, drawn);
    }
    ctx.globalAlpha = drawn.opacity;
    strokeLine(plot, { ...curve, y: smoothed(curve.y, drawn.smooth) }, drawn);
    ctx.setLineDash([]);
    ctx.fillStyle = colourOf(hue);
    drawOdd(plot, curve, drawn);
  }
  ctx.globalAlpha = 1;
  if (drawn.at) drawCross(plot, drawn.at);
  ctx.restore();
}

function isGrey({ styleOf }: DrawnCurves, curve: Curve): boolean {
  return styleOf(curve).hue >= 8;
}

function strokeLine(plot: UPlot, { x, y }: Pick<Curve, 'x' | 'y'>, axes: Axes): void {
  const { ctx } = plot;
  const place = placer(plot, axes);
  const { from, to } = shownPart(plot, x);
  ctx.beginPath();
  // Per column of pixels the first, the lowest, the highest and the last: more would be drawn over each other.
  let [column, low, high, last, count] = [Number.NaN, 0, 0, 0, 0];
  const flush = () => {
    if (count <= 1) return;
    ctx.lineTo(column, low);
    ctx.lineTo(column, high);
    ctx.lineTo(column, last);
  };
  let isBroken = true;
  for (let at = from; at < to; at++) {
    const [px, py] = [place.x(x[at] as number), place.y(y[at] as number)];
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      flush();
      [isBroken, count, column] = [true, 0, Number.NaN];
      continue;
    }
    const here = to - from > 2_000 ? Math.round(px) : px;
    if (here === column) {
      [low, high, last, count] = [Math.min(low, py), Math.max(high, py), py, count + 1];
      continue;
    }
    flush();
    if (isBroken) ctx.moveTo(here, py);
    else ctx.lineTo(here, py);
    [column, low, high, last, count, isBroken] = [here, py, py, py, 1, false];
  }
  flush();
  ctx.stroke();
  if (to - from === 1) dot(plot, [place.x(x[from] as number), place.y(y[from] as number)]);
}

/** A single value is not a line. */
function dot({ ctx }: UPlot, [x, y]: readonly [number, number]): void {
  ctx.fillStyle = ctx.strokeStyle;
  ctx.beginPath();
  ctx.arc(x, y, 3 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
}

function drawBand(
  plot: UPlot,
  { x, low, high }: Curve,
  { colour, ...axes }: Axes & { readonly colour: string },
): void {
  if (!low || !high) return;
  const { ctx } = plot;
  const place = placer(plot, axes);
  const { from, to } = shownPart(plot, x);
  ctx.fillStyle = faded(colour, 0.18);
  for (let start = from; start < to; ) {
    let end = start;
    while (end < to && Number.isFinite(low[end]) && Number.isFinite(high[end])) end++;
    if (end > start) {
      ctx.beginPath();
      for (let at = start; at < end; at++) ctx.lineTo(place.x(x[at] as number), place.y(high[at] as number));
      for (let at = end - 1; at >= start; at--) {
        const bottom = place.y(low[at] as number);
        // Below zero a logarithm ends: the band goes to the ground.
        ctx.lineTo(
          place.x(x[at] as number),
          Number.isFinite(bottom) ? bottom : plot.bbox.top + plot.bbox.height,
        );
      }
      ctx.fill();
    }
    start = end + 1;
  }
}

/** Triangles on the ground: here a value was no number. */
function drawOdd(plot: UPlot, { odd }: Curve, axes: Axes): void {
  const { ctx, bbox } = plot;
  const size = 5 * devicePixelRatio;
  const ground = bbox.top + bbox.height - 1;
  const place = placer(plot, axes);
  for (const at of odd) {
    const x = place.x(at);
    if (!Number.isFinite(x)) continue;
    ctx.beginPath();
    ctx.moveTo(x - size, ground);
    ctx.lineTo(x + size, ground);
    ctx.lineTo(x, ground - 1.7 * size);
    ctx.fill();
  }
}

function drawCross(plot: UPlot, [x, y]: readonly [number, number]): void {
  const { ctx, bbox } = plot;
  ctx.strokeStyle = tokenColour('--text');
  ctx.lineWidth = devicePixelRatio;
  const [px, py] = [plot.valToPos(x, 'x', true), plot.valToPos(y, 'y', true)];
  ctx.beginPath();
  ctx.moveTo(px, bbox.top);
  ctx.lineTo(px, bbox.top + bbox.height);
  ctx.moveTo(bbox.left, py);
  ctx.lineTo(bbox.left + bbox.width, py);
  ctx.stroke();
}
