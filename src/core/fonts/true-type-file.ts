/** A TrueType file as its tables are found: https://learn.microsoft.com/typography/opentype/spec/ */
export interface TrueTypeFile {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly tables: ReadonlyMap<string, { readonly at: number; readonly length: number }>;
  readonly unitsPerEm: number;
  /** Where a table begins; 0 where there is none. */
  at(table: string): number;
  /** 0: the font does not have it, and draws a box. */
  glyphOf(codePoint: number): number;
  /** In units of the font. */
  advanceOf(glyph: number): number;
  /** Where the outline of a glyph begins; that of the next one is its end. */
  placeOf(glyph: number): number;
}

export function readTrueType(bytes: Uint8Array): TrueTypeFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, { readonly at: number; readonly length: number }>();
  for (let index = 0; index < view.getUint16(4); index++) {
    const entry = 12 + index * 16;
    const name = String.fromCharCode(...bytes.subarray(entry, entry + 4));
    tables.set(name, { at: view.getUint32(entry + 8), length: view.getUint32(entry + 12) });
  }
  const at = (name: string) => tables.get(name)?.at ?? 0;
  const [glyf, loca, hmtx] = [at('glyf'), at('loca'), at('hmtx')];
  const isLong = view.getInt16(at('head') + 50) === 1;
  const metrics = view.getUint16(at('hhea') + 34);
  return {
    ...{ bytes, view, tables, at },
    unitsPerEm: view.getUint16(at('head') + 18),
    glyphOf: characterMap(view, at('cmap')),
    advanceOf: (glyph) => view.getUint16(hmtx + Math.min(glyph, metrics - 1) * 4),
    placeOf: (glyph) =>
      glyf + (isLong ? view.getUint32(loca + glyph * 4) : view.getUint16(loca + glyph * 2) * 2),
  };
}

/** Format 4 of the Unicode map: the first 65,536 characters, in segments. */
function characterMap(view: DataView, cmap: number): (code: number) => number {
  let table = 0;
  for (let index = 0; index < view.getUint16(cmap + 2); index++) {
    const offset = cmap + view.getUint32(cmap + 8 + index * 8);
    if (view.getUint16(offset) === 4) table = offset;
  }
  if (table === 0) return () => 0;
  const doubled = view.getUint16(table + 6);
  const ends = table + 14;
  const starts = ends + doubled + 2;
  return (code) => {
    if (code > 0xffff) return 0;
    let segment = 0;
    while (segment < doubled && view.getUint16(ends + segment) < code) segment += 2;
    if (segment >= doubled) return 0;
    const start = view.getUint16(starts + segment);
    if (code < start) return 0;
    const delta = view.getUint16(starts + doubled + segment);
    const offsets = starts + 2 * doubled + segment;
    const offset = view.getUint16(offsets);
    if (offset === 0) return (code + delta) & 0xffff;
    const glyph = view.getUint16(offsets + offset + (code - start) * 2);
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  };
}
