import { deflateSync } from 'node:zlib';

/** The objects of a PDF in the order of their numbers, and the file they make (ISO 32000-1, 7.5). */
export class PdfFile {
  readonly #objects: (Buffer | undefined)[] = [];

  /** Room for an object that others name before it is there. */
  reserve(): number {
    return this.#objects.push(undefined);
  }

  add(content: string, number = this.reserve()): number {
    this.#objects[number - 1] = Buffer.from(content, 'latin1');
    return number;
  }

  addStream(bytes: Uint8Array, more = ''): number {
    const packed = deflateSync(bytes);
    const head = `<< /Length ${packed.length} /Filter /FlateDecode${more} >>\nstream\n`;
    const number = this.reserve();
    this.#objects[number - 1] = Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')]);
    return number;
  }

  /** `root` and `info`: numbers of the catalogue and of what is said about the document. */
  bytes({ root, info }: { readonly root: number; readonly info: number }): Uint8Array {
    // Four bytes beyond ASCII tell programs that the file is no text.
    const pieces = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    let length = pieces[0]?.length ?? 0;
    const places: number[] = [];
    for (const [index, object] of this.#objects.entries()) {
      const piece = Buffer.concat([
        Buffer.from(`${index + 1} 0 obj\n`),
        object ?? Buffer.from('null'),
        Buffer.from('\nendobj\n'),
      ]);
      places.push(length);
      length += piece.length;
      pieces.push(piece);
    }
    const lines = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
    const count = places.length + 1;
    pieces.push(
      Buffer.from(
        `xref\n0 ${count}\n0000000000 65535 f \n${lines}trailer\n<< /Size ${count} /Root ${root} 0 R /Info ${info} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(pieces);
  }
}

/** A text that is shown by viewers: UTF-16 with its mark, in hexadecimal. */
export function pdfText(text: string): string {
  return `<feff${utf16Hex(text)}>`;
}

/** An address: ASCII, with nothing that ends a text. */
export function pdfAddress(address: string): string {
  return `(${encodeURI(decodeSafely(address)).replace(/[()\\]/g, '\\$&')})`;
}

export function utf16Hex(text: string): string {
  return Array.from({ length: text.length }, (_, index) =>
    text.charCodeAt(index).toString(16).padStart(4, '0'),
  ).join('');
}

/** What is encoded already must not be so twice. */
function decodeSafely(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address.replace(/[^\x20-\x7e]/g, '');
  }
}
