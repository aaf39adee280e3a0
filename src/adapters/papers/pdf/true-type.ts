/** What a document needs of a TrueType file: https://learn.microsoft.com/typography/opentype/spec/ */
export interface TrueType {
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly box: readonly [number, number, number, number];
  /** 0: the font does not have it, and draws a box. */
  glyphOf(codePoint: number): number;
  /** In units of the font. */
  advanceOf(glyph: number): number;
  /** The font with the outlines of these glyphs only; numbers of glyphs stay as they are. */
  subset(glyphs: ReadonlySet<number>): Uint8Array;
}

interface Table {
  readonly at: number;
  readonly length: number;
}

/** Without names and maps of characters: the document has its own. */
const KEPT = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep'];

export function openTrueType(bytes: Uint8Array): TrueType {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, Table>();
  for (let index = 0; index < view.getUint16(4); index++) {
    const entry = 12 + index * 16;
    const name = String.fromCharCode(...bytes.subarray(entry, entry + 4));
    tables.set(name, { at: view.getUint32(entry + 8), length: view.getUint32(entry + 12) });
  }
  const at = (name: string) => tables.get(name)?.at ?? 0;
  const metrics = view.getUint16(at('hhea') + 34);
  const head = at('head');
  const box = [36, 38, 40, 42].map((offset) => view.getInt16(head + offset));
  return {
    unitsPerEm: view.getUint16(head + 18),
    ascent: view.getInt16(at('hhea') + 4),
    descent: view.getInt16(at('hhea') + 6),
    box: [box[0] ?? 0, box[1] ?? 0, box[2] ?? 0, box[3] ?? 0],
    glyphOf: characterMap(view, at('cmap')),
    advanceOf: (glyph) => view.getUint16(at('hmtx') + Math.min(glyph, metrics - 1) * 4),
    subset(glyphs) {
      const outlines = keepOutlines({ bytes, view, at }, glyphs);
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

/** Format 4 of the Unicode map: the first 65,536 characters, in segments. */
function characterMap(view: DataView, cmap: number): (code: number) => number {
  let table = 0;
  for (let index = 0; index < view.getUint16(cmap + 2); index++) {
    const offset = cmap + view.getUint32(cmap + 8 + index * 8);
    if (view.getUint16(offset) === 4) table = offset;
  }
  const doubled = table === 0 ? 0 : view.getUint16(table + 6);
  const starts = table + 16 + doubled;
  return (code) => {
    if (code > 0xffff) return 0;
    let segment = 0;
    while (segment < doubled && view.getUint16(table + 14 + segment) < code) segment += 2;
    const start = segment < doubled ? view.getUint16(starts + segment) : 0x10000;
    if (code < start) return 0;
    const delta = view.getUint16(starts + doubled + segment);
    const offsets = starts + 2 * doubled + segment;
    const offset = view.getUint16(offsets);
    if (offset === 0) return (code + delta) & 0xffff;
    const glyph = view.getUint16(offsets + offset + (code - start) * 2);
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  };
}

interface OpenedFile {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly at: (name: string) => number;
}

function keepOutlines(
  { bytes, view, at }: OpenedFile,
  wanted: ReadonlySet<number>,
): { readonly glyf: Uint8Array; readonly loca: Uint8Array } {
  const isLong = view.getInt16(at('head') + 50) === 1;
  const count = view.getUint16(at('maxp') + 4);
  const place = (glyph: number) =>
    at('glyf') +
    (isLong ? view.getUint32(at('loca') + glyph * 4) : view.getUint16(at('loca') + glyph * 2) * 2);
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
