import { decodeUtf8 } from './bytes.ts';

const NEWLINE = 10;
const RETURN = 13;
/** As many arguments as a call takes anywhere. */
const SLICE = 8192;

/**
 * Lines of bytes that come in pieces, without their ends. A line longer than `maxBytes` is cut there, and `onCut` is told:
 * a file of a gigabyte may be a single one.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onCut: () => void,
): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array(0);
  let isSkipping = false;
  for await (const chunk of chunks) {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      if (end < 0) break;
      if (!isSkipping) yield lineOf(rest, chunk.subarray(from, end), maxBytes, onCut);
      rest = new Uint8Array(0);
      isSkipping = false;
      from = end + 1;
    }
    if (isSkipping || from === chunk.length) continue;
    rest = concatenated(rest, chunk.subarray(from));
    if (rest.length <= maxBytes) continue;
    yield lineOf(rest, new Uint8Array(0), maxBytes, onCut);
    rest = new Uint8Array(0);
    isSkipping = true;
  }
  if (rest.length > 0) yield lineOf(rest, new Uint8Array(0), maxBytes, onCut);
}

function lineOf(begin: Uint8Array, end: Uint8Array, maxBytes: number, onCut: () => void): string {
  let bytes = begin.length === 0 ? end : concatenated(begin, end);
  if (bytes.at(-1) === RETURN) bytes = bytes.subarray(0, -1);
  if (bytes.length > maxBytes) {
    onCut();
    bytes = bytes.subarray(0, maxBytes);
  }
  return textOf(bytes);
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
