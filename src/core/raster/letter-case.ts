import type { Contour, Font } from '../fonts/outlines.ts';
import type { Coverage, Mask } from './coverage.ts';

/** Pixels for one unit of the font, along the text and across it. */
export interface Turn {
  readonly cos: number;
  readonly sin: number;
}

interface Letter {
  /** In units of the font. */
  readonly advance: number;
  readonly contours: readonly Contour[];
  /** One for each part of a pixel that it may begin at. */
  readonly masks: (Mask | undefined)[];
}

/** Letters begin at quarters of a pixel, as in most programs: each is drawn once there, not anew at every place. */
export const PARTS = 4;

/** Letters of one font at one size and turn. */
export class LetterCase {
  readonly unitsPerEm: number;
  readonly #font: Font;
  readonly #turn: Turn;
  readonly #letters = new Map<string, Letter | undefined>();

  constructor(font: Font, turn: Turn) {
    this.unitsPerEm = font.unitsPerEm;
    this.#font = font;
    this.#turn = turn;
  }

  /** undefined: the font does not have it. */
  letter(character: string): Letter | undefined {
    const known = this.#letters.get(character);
    if (known) return known;
    const glyph = this.#font.glyph(character);
    const letter = glyph && { ...glyph, masks: [] };
    this.#letters.set(character, letter);
    return letter;
  }

  /** undefined: nothing to see, as of a space. `x` and `y`: quarters of a pixel to the right and down. */
  mask(letter: Letter, [x, y]: readonly [number, number], coverage: Coverage): Mask | undefined {
    if (letter.contours.length === 0) return undefined;
    const place = y * PARTS + x;
    letter.masks[place] ??= maskOf(letter.contours, { ...this.#turn, x: x / PARTS, y: y / PARTS }, coverage);
    return letter.masks[place];
  }
}

interface Place extends Turn {
  readonly x: number;
  readonly y: number;
}

function maskOf(contours: readonly Contour[], place: Place, coverage: Coverage): Mask {
  const polygons = contours.map((contour) => flatten(contour, place));
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const polygon of polygons) {
    for (let at = 0; at < polygon.length; at += 2) {
      const x = polygon[at] as number;
      const y = polygon[at + 1] as number;
      if (x < bounds.left) bounds.left = x;
      if (x > bounds.right) bounds.right = x;
      if (y < bounds.top) bounds.top = y;
      if (y > bounds.bottom) bounds.bottom = y;
    }
  }
  coverage.begin(bounds);
  for (const polygon of polygons) {
    coverage.polygon(polygon);
  }
  return coverage.mask();
}

/** Corners of a contour in pixels; between two points off the curve lies one on it. */
function flatten(contour: Contour, { cos, sin, x: left, y: top }: Place): readonly number[] {
  const points = contour.map(({ x, y, isOnCurve }) => ({
    x: left + cos * x + sin * y,
    y: top + sin * x - cos * y,
    isOnCurve,
  }));
  const first = Math.max(
    0,
    points.findIndex(({ isOnCurve }) => isOnCurve),
  );
  const start = points[first];
  if (!start?.isOnCurve) return [];
  const corners: number[] = [start.x, start.y];
  let control: { readonly x: number; readonly y: number } | undefined;
  for (let step = 1; step <= points.length; step++) {
    const point = points[(first + step) % points.length] ?? start;
    if (point.isOnCurve) {
      if (control) addCurve(corners, control, point);
      else corners.push(point.x, point.y);
      control = undefined;
      continue;
    }
    if (control) addCurve(corners, control, { x: (control.x + point.x) / 2, y: (control.y + point.y) / 2 });
    control = point;
  }
  return corners;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pixels that a curve may lie beside its corners. */
const TOLERANCE = 0.05;

function addCurve(corners: number[], control: Point, end: Point): void {
  const x = corners[corners.length - 2] as number;
  const y = corners[corners.length - 1] as number;
  // How far a quadratic curve lies from its chord in the middle; it shrinks with the square of the pieces.
  const bulge = Math.hypot(x - 2 * control.x + end.x, y - 2 * control.y + end.y) / 4;
  const pieces = Math.ceil(Math.sqrt(bulge / TOLERANCE)) || 1;
  for (let piece = 1; piece < pieces; piece++) {
    const t = piece / pieces;
    const a = (1 - t) * (1 - t);
    const b = 2 * t * (1 - t);
    const c = t * t;
    corners.push(a * x + b * control.x + c * end.x, a * y + b * control.y + c * end.y);
  }
  corners.push(end.x, end.y);
}
