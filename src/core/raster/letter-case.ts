import type { Contour, Font } from '../fonts/outlines.ts';
import type { Coverage, Mask } from './coverage.ts';
import type { LetterStyle, ReadyLetters } from './ready-letters.ts';

/** Pixels for one unit of the font, along the text and across it. */
interface Turn {
  readonly cos: number;
  readonly sin: number;
}

interface Letter {
  readonly character: string;
  /** In units of the font. */
  readonly advance: number;
  /** Its number among the ready ones. */
  readonly ready?: number;
  /** One for each part of a pixel that it may begin at. */
  readonly masks: (Mask | undefined)[];
}

/** Letters begin at quarters of a pixel, as in most programs: each is drawn once there, not anew at every place. */
export const PARTS = 4;

/** Quarters of a pixel to the right and down. */
export type Quarters = readonly [x: number, y: number];

export interface Letters {
  /** Opened for the first letter that is not ready. */
  readonly font: () => Font;
  readonly style: LetterStyle;
  readonly ready?: ReadyLetters | undefined;
}

/** Letters of one font at one size and turn. */
export class LetterCase {
  readonly unitsPerEm: number;
  readonly #font: () => Font;
  readonly #turn: number;
  readonly #ready: ReadyLetters | undefined;
  /** The number of the style among the ready ones. */
  readonly #style: number | undefined;
  readonly #step: Turn;
  readonly #letters = new Map<string, Letter | undefined>();

  constructor({ font, style, ready }: Letters) {
    this.#font = font;
    this.#turn = style.turn;
    this.#style = ready?.style(style);
    this.#ready = ready;
    this.unitsPerEm = ready?.unitsPerEm ?? font().unitsPerEm;
    const scale = style.size / this.unitsPerEm;
    const angle = (style.turn * Math.PI) / 180;
    this.#step = { cos: Math.cos(angle) * scale, sin: Math.sin(angle) * scale };
  }

  /** undefined: the font does not have it. */
  letter(character: string): Letter | undefined {
    const known = this.#letters.get(character);
    if (known) return known;
    const letter = this.#readyLetter(character) ?? this.#fontLetter(character);
    this.#letters.set(character, letter);
    return letter;
  }

  /** undefined: nothing to see, as of a space. */
  mask(letter: Letter, place: Quarters, coverage: Coverage): Mask | undefined {
    const at = place[1] * PARTS + place[0];
    letter.masks[at] ??= this.#mask(letter, place, coverage);
    return letter.masks[at];
  }

  #readyLetter(character: string): Letter | undefined {
    const ready = this.#style === undefined ? undefined : this.#ready?.letter(this.#style, character);
    return ready === undefined
      ? undefined
      : { character, ready, advance: this.#ready?.advance(ready) ?? 0, masks: [] };
  }

  #fontLetter(character: string): Letter | undefined {
    const glyph = this.#font().glyph(character);
    return glyph && { character, advance: glyph.advance, masks: [] };
  }

  #mask({ ready, character }: Letter, place: Quarters, coverage: Coverage): Mask | undefined {
    const along = alongOf(this.#turn, place);
    if (ready !== undefined && along !== undefined) return this.#ready?.mask(ready, along);
    const contours = this.#font().glyph(character)?.contours ?? [];
    if (contours.length === 0) return undefined;
    return maskOf(contours, { ...this.#step, x: place[0] / PARTS, y: place[1] / PARTS }, coverage);
  }
}

/** The place of a letter that is so many quarters of a pixel along its text, and on a whole pixel across it. */
export function placeAlong(turn: number, along: number): Quarters {
  return turn === 0 ? [along, 0] : [0, along];
}

function alongOf(turn: number, [x, y]: Quarters): number | undefined {
  if (turn === 0) return y === 0 ? x : undefined;
  return turn === -90 && x === 0 ? y : undefined;
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
