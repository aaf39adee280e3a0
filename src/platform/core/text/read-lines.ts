import { decodeUtf8 } from './utf8.ts';

const NEWLINE = 10;
/** As many arguments as a call takes anywhere. */
const SLICE = 8192;

/** The lines of `readLineBlocks`, one at a time. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onCut: () => void,
): AsyncGenerator<string> {
  for await (const block of readLineBlocks(chunks, maxBytes, onCut)) yield* block;
}

/**
 * Lines of bytes that come in pieces, without their ends, as many at a time as a piece has: a log of a gigabyte is not
 * waited for line by line. A line longer than `maxBytes` is cut there, and `onCut` is called: a file of a gigabyte may be a
 * single one.
 */
export async function* readLineBlocks(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onCut: () => void,
): AsyncGenerator<readonly string[]> {
  const linesOf = (bytes: Uint8Array) => splitLines(bytes, maxBytes, onCut);
  let rest: Uint8Array = new Uint8Array(0);
  let isSkipping = false;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end >= 0) {
      // What is skipped ends at the first line end, of which there is one.
      const from = isSkipping ? chunk.indexOf(NEWLINE) + 1 : 0;
      if (from <= end) yield linesOf(concatenated(rest, chunk.subarray(from, end)));
      rest = new Uint8Array(0);
      isSkipping = false;
    }
    if (isSkipping || end === chunk.length - 1) continue;
    rest = concatenated(rest, chunk.subarray(end + 1));
    if (rest.length <= maxBytes) continue;
    yield linesOf(rest);
    rest = new Uint8Array(0);
    isSkipping = true;
  }
  if (rest.length > 0) yield linesOf(rest);
}

function splitLines(bytes: Uint8Array, maxBytes: number, onCut: () => void): readonly string[] {
  const text = textOf(bytes);
  const lines = text.split('\n');
  if (bytes.length <= maxBytes && !text.includes('\r')) return lines;
  return lines.map((raw) => {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line.length <= maxBytes) return line;
    onCut();
    return line.slice(0, maxBytes);
  });
}

/** Nearly all lines are ASCII: they are put together in large steps. */
function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + SLICE) as unknown as number[]);
  }
  return /[\u0080-\u00ff]/.test(text) ? decodeUtf8(bytes, 0, bytes.length) : text;
}

function concatenated(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
