import type { ByteReader } from './byte-reader.ts';
import { damaged } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { readWholes, writeWholes } from './whole-numbers.ts';

/** Texts as a list of the different ones, and numbers in that list. */
export function writeTexts(out: ByteWriter, texts: readonly string[]): void {
  const numbers = new Map<string, number>();
  const places = Float64Array.from(texts, (text) => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  });
  out.count(numbers.size);
  for (const text of numbers.keys()) writeText(out, text);
  writeWholes(out, places);
}

export function readTexts(input: ByteReader, count: number): readonly string[] {
  const size = input.count();
  if (size > count) throw damaged('it has more different texts than texts');
  const different = Array.from({ length: size }, () => readText(input));
  return Array.from(readWholes(input, count), (place) => different[place] ?? '');
}

/** As UTF-16 or, where all characters are below 256, a byte each: exact for any text, even a broken one. */
function writeText(out: ByteWriter, text: string): void {
  let isNarrow = true;
  for (let i = 0; i < text.length && isNarrow; i++) isNarrow = text.charCodeAt(i) < 256;
  out.count(text.length * 2 + (isNarrow ? 0 : 1));
  const bytes = out.claim(text.length * (isNarrow ? 1 : 2));
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isNarrow) bytes[i] = code;
    else {
      bytes[i * 2] = code;
      bytes[i * 2 + 1] = code >> 8;
    }
  }
}

function readText(input: ByteReader): string {
  const size = input.count();
  const step = 1 + (size % 2);
  const bytes = input.take(Math.floor(size / 2) * step);
  let text = '';
  for (let i = 0; i < bytes.length; i += step) {
    text += String.fromCharCode((bytes[i] as number) | (step === 2 ? (bytes[i + 1] as number) << 8 : 0));
  }
  return text;
}
