import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type PdfFile, utf16Hex } from './pdf-file.ts';
import { openTrueType, type TrueType } from './true-type.ts';

/** One font of a document: it remembers which of its glyphs were used. */
export class PaperFont {
  readonly name: string;
  readonly #file: TrueType;
  readonly #used = new Map<number, string>();

  constructor(isBold: boolean) {
    this.name = isBold ? 'DejaVuSans-Bold' : 'DejaVuSans';
    this.#file = fontFile(this.name);
  }

  /** The glyphs of a text in hexadecimal, and how wide they are at a size of 1. */
  encode(text: string): { readonly hex: string; readonly width: number } {
    let [hex, width] = ['', 0];
    for (const character of text) {
      const glyph = this.#file.glyphOf(character.codePointAt(0) ?? 0);
      if (!this.#used.has(glyph)) this.#used.set(glyph, glyph === 0 ? '\ufffd' : character);
      hex += glyph.toString(16).padStart(4, '0');
      width += this.#file.advanceOf(glyph);
    }
    return { hex, width: width / this.#file.unitsPerEm };
  }

  /** Writes the font with what was used of it; the number of its object. */
  addTo(file: PdfFile): number {
    const glyphs = [...this.#used.keys()].sort((a, b) => a - b);
    const { ascent, descent, box } = this.#file;
    // Six letters mark a font of which only a part is here (ISO 32000-1, 9.6.4).
    const name = `NIGHTM+${this.name}`;
    const program = this.#file.subset(new Set(glyphs));
    const stream = file.addStream(program, ` /Length1 ${program.length}`);
    const descriptor = file.add(
      `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [${box.map((side) => this.#em(side)).join(' ')}] /ItalicAngle 0 /Ascent ${this.#em(ascent)} /Descent ${this.#em(descent)} /CapHeight 729 /StemV 80 /FontFile2 ${stream} 0 R >>`,
    );
    const widths = glyphs.map((glyph) => `${glyph} [${this.#em(this.#file.advanceOf(glyph))}]`).join(' ');
    const descendant = file.add(
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /DW 600 /W [${widths}] /CIDToGIDMap /Identity >>`,
    );
    const unicode = file.addStream(Buffer.from(this.#unicodeMap(glyphs)));
    return file.add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${unicode} 0 R >>`,
    );
  }

  #em(value: number): number {
    return Math.round((value * 1000) / this.#file.unitsPerEm);
  }

  /** What each glyph means: by it, text can be searched and copied. A list has at most a hundred lines. */
  #unicodeMap(glyphs: readonly number[]): string {
    const lines = glyphs.map(
      (glyph) => `<${glyph.toString(16).padStart(4, '0')}> <${utf16Hex(this.#used.get(glyph) ?? '')}>`,
    );
    const lists: string[] = [];
    for (let at = 0; at < lines.length; at += 100) {
      const part = lines.slice(at, at + 100);
      lists.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`);
    }
    return `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Nightmark def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${lists.join('\n')}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n`;
  }
}

const opened = new Map<string, TrueType>();

function fontFile(name: string): TrueType {
  const known = opened.get(name);
  if (known) return known;
  const path = createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
  const font = openTrueType(readFileSync(path));
  opened.set(name, font);
  return font;
}
