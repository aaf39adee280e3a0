import { readTrueType, type TrueTypeFile } from '../../../core/fonts/true-type-file.ts';

/** What a document needs of a TrueType file. */
export interface TrueType extends Pick<TrueTypeFile, 'unitsPerEm' | 'glyphOf' | 'advanceOf'> {
  readonly ascent: number;
  readonly descent: number;
  readonly box: readonly [number, number, number, number];
  /** The font with the outlines of these glyphs only; numbers of glyphs stay as they are. */
  subset(glyphs: ReadonlySet<number>): Uint8Array;
}

/** Without names and maps of characters: the document has its own. */
const KEPT = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep'];

export function openTrueType(bytes: Uint8Array): TrueType {
  const file = readTrueType(bytes);
  const { view, tables, unitsPerEm, at, glyphOf, advanceOf } = file;
  const head = at('head');
  const box = [36, 38, 40, 42].map((offset) => view.getInt16(head + offset));
  return {
    ...{ unitsPerEm, glyphOf, advanceOf },
    ascent: view.getInt16(at('hhea') + 4),
    descent: view.getInt16(at('hhea') + 6),
    box: [box[0] ?? 0, box[1] ?? 0, box[2] ?? 0, box[3] ?? 0],
    subset(glyphs) {
      const outlines = keepOutlines(file, glyphs);
      const kept = KEPT.flatMap((name): readonly (readonly [string, Uint8Array])[] => {
        const table = tables.get(name);
        if (!table) return [];
        if (name === 'glyf') return [[name, outlines.glyf]];
        if (name === 'loca') return [[name, outlines.loca]];
        const own = bytes.slice(table.at, table.at + table.length);
        // Places are written in their long form.
        if (name === 'head') new DataView(own.buffer).setInt16(50, 1);
        return [[name, own]];
      });
      return fontFile(kept);
    },
  };
}

function keepOutlines(
  { bytes, view, at, placeOf: place }: TrueTypeFile,
  wanted: ReadonlySet<number>,
): { readonly glyf: Uint8Array; readonly loca: Uint8Array } {
  const count = view.getUint16(at('maxp') + 4);
  // Accented letters are made of others; 0 is the box of what is missing.
  const kept = new Set([0, ...wanted]);
  for (const glyph of kept)
    if (place(glyph) < place(glyph + 1)) for (const part of partsOf(view, place(glyph))) kept.add(part);
  const loca = new DataView(new ArrayBuffer((count + 1) * 4));
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let glyph = 0; glyph < count; glyph++) {
    loca.setUint32(glyph * 4, length);
    if (!kept.has(glyph)) continue;
    const piece = bytes.subarray(place(glyph), place(glyph + 1));
    pieces.push(piece);
    length += piece.length;
  }
  loca.setUint32(count * 4, length);
  return { glyf: joined(pieces, length), loca: new Uint8Array(loca.buffer) };
}

function partsOf(view: DataView, at: number): readonly number[] {
  if (view.getInt16(at) >= 0) return [];
  const parts: number[] = [];
  let next = at + 10;
  for (let flags = 32; flags & 32; ) {
    flags = view.getUint16(next);
    parts.push(view.getUint16(next + 2));
    next += 4 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 64 ? 4 : flags & 128 ? 8 : 0);
  }
  return parts;
}

/** Sums of tables are left out: nothing that shows documents looks at them. */
function fontFile(tables: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  const power = 2 ** Math.floor(Math.log2(tables.length));
  const start = 12 + tables.length * 16;
  const length = tables.reduce((sum, [, { length: own }]) => sum + padded(own), start);
  const file = new Uint8Array(length);
  const view = new DataView(file.buffer);
  view.setUint32(0, 0x00010000);
  for (const [index, value] of [
    tables.length,
    power * 16,
    Math.log2(power),
    (tables.length - power) * 16,
  ].entries())
    view.setUint16(4 + index * 2, value);
  let at = start;
  for (const [index, [name, table]] of tables.entries()) {
    const entry = 12 + index * 16;
    for (let letter = 0; letter < 4; letter++) file[entry + letter] = name.charCodeAt(letter);
    view.setUint32(entry + 8, at);
    view.setUint32(entry + 12, table.length);
    file.set(table, at);
    at += padded(table.length);
  }
  return file;
}

function padded(length: number): number {
  return (length + 3) & ~3;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
