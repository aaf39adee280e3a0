import { readTrueType } from './true-type-file.ts';

/** Outlines of one character, in units of the font: its contours, each a start and the path from there. */
export interface Glyph {
  readonly advance: number;
  readonly contours: readonly Contour[];
}

/** Points in order; two that are off the curve in a row have one on it between them. */
export type Contour = readonly GlyphPoint[];

interface GlyphPoint {
  readonly x: number;
  readonly y: number;
  readonly isOnCurve: boolean;
}

export interface Font {
  readonly unitsPerEm: number;
  /** undefined: the font does not have it. */
  glyph(character: string): Glyph | undefined;
}

/** Parts of a character in a character: accents and the like. Deeper than this is a broken file. */
const MAX_DEPTH = 4;

/** Reads what outlines need of a TrueType file. */
export function openFont(bytes: Uint8Array): Font {
  const { view, unitsPerEm, glyphOf, advanceOf, placeOf } = readTrueType(bytes);
  const outlines: Outlines = (glyph, depth) =>
    placeOf(glyph) === placeOf(glyph + 1) ? [] : readOutline(view, placeOf(glyph), { outlines, depth });
  return {
    unitsPerEm,
    glyph(character) {
      const glyph = glyphOf(character.codePointAt(0) ?? 0);
      return glyph === 0 ? undefined : { advance: advanceOf(glyph), contours: outlines(glyph, 0) };
    },
  };
}

type Outlines = (glyph: number, depth: number) => readonly Contour[];

interface Inner {
  readonly outlines: Outlines;
  readonly depth: number;
}

function readOutline(view: DataView, at: number, inner: Inner): readonly Contour[] {
  const count = view.getInt16(at);
  return count >= 0 ? readSimple(view, at + 10, count) : readComposite(view, at + 10, inner);
}

const ON_CURVE = 1;
const REPEATED = 8;

function readSimple(view: DataView, at: number, count: number): readonly Contour[] {
  const ends = Array.from({ length: count }, (_, index) => view.getUint16(at + index * 2));
  const total = (ends.at(-1) ?? -1) + 1;
  let next = at + count * 2;
  next += 2 + view.getUint16(next);
  const flags: number[] = [];
  while (flags.length < total) {
    const flag = view.getUint8(next++);
    const times = flag & REPEATED ? view.getUint8(next++) + 1 : 1;
    for (let repeat = 0; repeat < times; repeat++) flags.push(flag);
  }
  const coordinates = (short: number, same: number): readonly number[] => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? view.getUint8(next++) : -view.getUint8(next++);
      else if (!(flag & same)) {
        value += view.getInt16(next);
        next += 2;
      }
      return value;
    });
  };
  const xs = coordinates(2, 16);
  const ys = coordinates(4, 32);
  return ends.map((end, index) => {
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1;
    return Array.from({ length: end - start + 1 }, (_, point) => ({
      x: xs[start + point] ?? 0,
      y: ys[start + point] ?? 0,
      isOnCurve: ((flags[start + point] ?? 0) & ON_CURVE) !== 0,
    }));
  });
}

const WORDS = 1;
const MORE = 32;
const SCALES: readonly (readonly [flag: number, numbers: number])[] = [
  [8, 1],
  [64, 2],
  [128, 4],
];

function readComposite(view: DataView, at: number, { outlines, depth }: Inner): readonly Contour[] {
  const contours: Contour[] = [];
  let next = at;
  for (let flags = MORE; flags & MORE; ) {
    if (depth >= MAX_DEPTH) return contours;
    flags = view.getUint16(next);
    const glyph = view.getUint16(next + 2);
    const isWide = (flags & WORDS) !== 0;
    const [dx, dy] = isWide
      ? [view.getInt16(next + 4), view.getInt16(next + 6)]
      : [view.getInt8(next + 4), view.getInt8(next + 5)];
    next += isWide ? 8 : 6;
    const numbers = SCALES.find(([flag]) => flags & flag)?.[1] ?? 0;
    const read = Array.from({ length: numbers }, (_, index) => view.getInt16(next + index * 2) / 16384);
    next += numbers * 2;
    const [a = 1, b = 0, c = 0, d = a] =
      numbers === 4 ? read : numbers === 2 ? [read[0] ?? 1, 0, 0, read[1] ?? 1] : read;
    for (const contour of outlines(glyph, depth + 1)) {
      contours.push(
        contour.map(({ x, y, isOnCurve }) => ({ x: a * x + c * y + dx, y: b * x + d * y + dy, isOnCurve })),
      );
    }
  }
  return contours;
}
