import { type LogLine, type LogStyle, readLine } from './log-line.ts';

/** A part of a log without a gap, as lines. */
export interface LogStretch {
  /** Bytes of the log: the first one, and the one behind the last. */
  readonly from: number;
  readonly next: number;
  readonly text: string;
  /** Lines in groups: what is drawn already is not drawn anew when more comes. */
  readonly blocks: readonly LogBlock[];
  readonly lineCount: number;
  /** Behind the last end of a line: the rest of it may still come. */
  readonly rest?: LogLine;
  readonly open: { readonly text: string; readonly at: number; readonly style: LogStyle };
}

export interface LogBlock {
  /** Place of its first line in the stretch. */
  readonly first: number;
  readonly lines: readonly LogLine[];
}

const BLOCK_LINES = 200;

/** A piece of text from a byte on, to the byte `next`. */
export interface StretchText {
  readonly from: number;
  readonly next: number;
  readonly text: string;
}

export function newStretch(piece: StretchText): LogStretch {
  const { from } = piece;
  const empty = { from, next: from, text: '', blocks: [], lineCount: 0 };
  return appendText({ ...empty, open: { text: '', at: from, style: [] } }, piece);
}

export function appendText(stretch: LogStretch, { text, next }: Omit<StretchText, 'from'>): LogStretch {
  const { open } = stretch;
  const raw = `${open.text}${text}`.split('\n');
  const last = raw.pop() ?? '';
  let { at, style } = open;
  const lines: LogLine[] = [];
  for (const one of raw) {
    const read = readLine(one, at, style);
    lines.push(read.line);
    style = read.style;
    at += utf8Length(one) + 1;
  }
  const rest = last === '' ? {} : { rest: readLine(last, at, style).line };
  const { rest: _before, ...kept } = stretch;
  return {
    ...kept,
    ...rest,
    next,
    text: stretch.text + text,
    blocks: addLines(stretch.blocks, lines),
    lineCount: stretch.lineCount + lines.length,
    open: { text: last, at, style },
  };
}

/** Puts a piece among the stretches; where it closes a gap, both sides become one. */
export function addPiece(stretches: readonly LogStretch[], piece: StretchText): readonly LogStretch[] {
  if (piece.next <= piece.from) return stretches;
  const before = stretches.findLast(({ from }) => from <= piece.from);
  const after = stretches.find(({ from }) => from > piece.from);
  if (before !== undefined && before.next > piece.from) return stretches;
  const fitting = after !== undefined && piece.next > after.from ? cutPiece(piece, after.from) : piece;
  const grown = before?.next === fitting.from ? appendText(before, fitting) : newStretch(fitting);
  const joined = after !== undefined && grown.next === after.from ? appendText(grown, after) : grown;
  const others = stretches.filter(
    (one) => one !== (joined === grown ? undefined : after) && one.from !== grown.from,
  );
  return [...others, joined].sort((a, b) => a.from - b.from);
}

function addLines(blocks: readonly LogBlock[], lines: readonly LogLine[]): readonly LogBlock[] {
  if (lines.length === 0) return blocks;
  const last = blocks.at(-1);
  const isOpen = last !== undefined && last.lines.length < BLOCK_LINES;
  const kept = isOpen ? blocks.slice(0, -1) : [...blocks];
  const waiting = isOpen ? [...last.lines, ...lines] : lines;
  let first = isOpen ? last.first : (last?.first ?? 0) + (last?.lines.length ?? 0);
  const grown = [...kept];
  for (let place = 0; place < waiting.length; place += BLOCK_LINES, first += BLOCK_LINES)
    grown.push({ first, lines: waiting.slice(place, place + BLOCK_LINES) });
  return grown;
}

/** The part of a piece that ends before a byte. */
function cutPiece({ from, text }: StretchText, end: number): StretchText {
  const bytes = new TextEncoder().encode(text).subarray(0, end - from);
  return { from, next: end, text: new TextDecoder().decode(bytes) };
}

/** Bytes of a text in UTF-8. Bytes that were none count as the sign in their place: near enough for a link. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code < 0x80) continue;
    // Of a pair of surrogates each half counts two: together they are four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return bytes;
}
