import { colourOf, numberOf, plainNumber, wordOf } from './attribute-values.ts';
import { boundsOf, grown } from './bounds-of.ts';
import type { Bounds, Coverage } from './coverage.ts';
import { dashPath } from './dash-path.ts';
import { fillBox } from './fill-box.ts';
import type { MarkCase } from './mark-case.ts';
import type { Attributes } from './markup.ts';
import { NotOurs } from './not-ours.ts';
import { type Place, readPath, type Stretch } from './read-path.ts';
import type { Paint, Sheet } from './sheet.ts';
import { strokePath } from './stroke-path.ts';

/** What a shape is drawn on, where, and with what. */
export interface Ground {
  readonly sheet: Sheet;
  readonly place: Place;
  readonly coverage: Coverage;
  readonly marks: MarkCase;
}

export function drawRect(attributes: Attributes, { sheet, place }: Ground): void {
  const { scale, left, top } = place;
  const x = numberOf(attributes, 'x', 0) * scale + left;
  const y = numberOf(attributes, 'y', 0) * scale + top;
  const [width, height] = [
    numberOf(attributes, 'width', 0) * scale,
    numberOf(attributes, 'height', 0) * scale,
  ];
  if (width <= 0 || height <= 0) return;
  const box = { left: x, top: y, right: x + width, bottom: y + height };
  const isCrisp = crispness(attributes);
  const fill = fillOf(attributes, sheet);
  if (fill) fillBox(sheet, isCrisp ? rounded(box) : box, fill);
  const stroke = strokeOf(attributes, sheet);
  const reach = (numberOf(attributes, 'stroke-width', 1) * scale) / 2;
  if (!stroke || reach === 0) return;
  if (isCrisp) throw new NotOurs('a crisp line around a box');
  const [outer, inner] = [grown(box, reach), grown(box, -reach)];
  const sides =
    inner.left < inner.right && inner.top < inner.bottom
      ? [
          { ...outer, bottom: inner.top },
          { ...outer, top: inner.bottom },
          { ...outer, top: inner.top, bottom: inner.bottom, right: inner.left },
          { ...outer, top: inner.top, bottom: inner.bottom, left: inner.right },
        ]
      : [outer];
  for (const side of sides) fillBox(sheet, side, stroke);
}

export function drawPath(attributes: Attributes, { sheet, place, coverage, marks }: Ground): void {
  const d = attributes.get('d') ?? '';
  if (attributes.size === 2 && attributes.has('fill')) {
    const paint = fillOf(attributes, sheet);
    if (paint && marks.draw(d, place, [sheet, paint])) return;
  }
  const stretches = readPath(d, place);
  const isCrisp = crispness(attributes);
  const fill = fillOf(attributes, sheet);
  // One line encloses nothing.
  const areas = fill ? stretches.filter(({ points }) => points.length > 4) : [];
  if (fill && areas.length > 0) {
    if (isCrisp) throw new NotOurs('a crisp shape');
    coverage.begin(boundsOf(areas, 0, sheet));
    for (const { points } of areas) coverage.polygon(points);
    coverage.fill(sheet, fill);
  }
  const stroke = strokeOf(attributes, sheet);
  const reach = (numberOf(attributes, 'stroke-width', 1) * place.scale) / 2;
  if (!stroke || reach === 0) return;
  const lengths = dashLengths(attributes, place.scale);
  const lines = lengths ? dashPath(stretches, lengths) : stretches;
  if (lines.every(isAlongPixels)) {
    for (const { points } of lines) {
      const box = lineBox(points, reach);
      fillBox(sheet, isCrisp ? rounded(box) : box, stroke);
    }
    return;
  }
  if (isCrisp) throw new NotOurs('a crisp line that is not level');
  coverage.begin(boundsOf(lines, reach, sheet));
  strokePath(coverage, lines, {
    reach,
    join: wordOf(attributes, 'stroke-linejoin', ['miter', 'round', 'bevel']),
  });
  coverage.fill(sheet, stroke);
}

function fillOf(attributes: Attributes, sheet: Sheet): Paint | undefined {
  const colour = colourOf(attributes.get('fill') ?? '#000000');
  const opacity = numberOf(attributes, 'fill-opacity', 1);
  if (opacity < 0 || opacity > 1) throw new NotOurs('an opacity beyond its range');
  return colour === undefined || opacity === 0 ? undefined : sheet.paint(colour, opacity);
}

function strokeOf(attributes: Attributes, sheet: Sheet): Paint | undefined {
  const colour = colourOf(attributes.get('stroke') ?? 'none');
  return colour === undefined ? undefined : sheet.paint(colour, 1);
}

function crispness(attributes: Attributes): boolean {
  return wordOf(attributes, 'shape-rendering', ['auto', 'crispEdges']) === 'crispEdges';
}

/** Without shades: a pixel belongs to the box if its middle does. */
function rounded({ left, top, right, bottom }: Bounds): Bounds {
  return {
    left: Math.round(left),
    top: Math.round(top),
    right: Math.round(right),
    bottom: Math.round(bottom),
  };
}

/** Dashes beyond this many would be a hang, not a chart. */
const MIN_DASH = 0.5;

function dashLengths(attributes: Attributes, scale: number): readonly number[] | undefined {
  const text = attributes.get('stroke-dasharray');
  if (text === undefined) return undefined;
  const lengths = text.split(' ').map((length) => plainNumber(length) * scale);
  if (lengths.length % 2 === 1 || lengths.some((length) => length < MIN_DASH))
    throw new NotOurs('other dashes');
  return lengths;
}

/** One line that is level or upright. */
function isAlongPixels({ points, isClosed }: Stretch): boolean {
  return points.length === 4 && !isClosed && (points[0] === points[2] || points[1] === points[3]);
}

function lineBox(points: readonly number[], reach: number): Bounds {
  const [x, y, endX, endY] = points as readonly [number, number, number, number];
  return x === endX
    ? { left: x - reach, right: x + reach, top: Math.min(y, endY), bottom: Math.max(y, endY) }
    : { left: Math.min(x, endX), right: Math.max(x, endX), top: y - reach, bottom: y + reach };
}
