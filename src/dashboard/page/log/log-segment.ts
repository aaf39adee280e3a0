import { TERMINAL_SEQUENCE, visible } from '../../../platform/core/text/terminal-text.ts';

/** A part of a log without a gap, as lines. */
export interface LogSegment {
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
  /** Place of its first line in the segment. */
  readonly first: number;
  readonly lines: readonly LogLine[];
}

const BLOCK_LINES = 200;

/** A piece of text from a byte on, to the byte `next`. */
export interface SegmentText {
  readonly from: number;
  readonly next: number;
  readonly text: string;
}

export function newSegment(piece: SegmentText): LogSegment {
  const { from } = piece;
  const empty = { from, next: from, text: '', blocks: [], lineCount: 0 };
  return appendText({ ...empty, open: { text: '', at: from, style: [] } }, piece);
}

export function appendText(segment: LogSegment, { text, next }: Omit<SegmentText, 'from'>): LogSegment {
  const { open } = segment;
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
  const { rest: _before, ...kept } = segment;
  return {
    ...kept,
    ...rest,
    next,
    text: segment.text + text,
    blocks: addLines(segment.blocks, lines),
    lineCount: segment.lineCount + lines.length,
    open: { text: last, at, style },
  };
}

/** Puts a piece among the segments; where it closes a gap, both sides become one. */
export function addPiece(segments: readonly LogSegment[], piece: SegmentText): readonly LogSegment[] {
  if (piece.next <= piece.from) return segments;
  const before = segments.findLast(({ from }) => from <= piece.from);
  const after = segments.find(({ from }) => from > piece.from);
  if (before !== undefined && before.next > piece.from) return segments;
  const fitting = after !== undefined && piece.next > after.from ? cutPiece(piece, after.from) : piece;
  const grown = before?.next === fitting.from ? appendText(before, fitting) : newSegment(fitting);
  const joined = after !== undefined && grown.next === after.from ? appendText(grown, after) : grown;
  const others = segments.filter(
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
function cutPiece({ from, text }: SegmentText, end: number): SegmentText {
  const bytes = new TextEncoder().encode(text).subarray(0, end - from);
  return { from, next: end, text: new TextDecoder().decode(bytes) };
}

/** Bytes of a text in UTF-8. Invalid bytes count as their replacement character: near enough for a link. */
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

/** A line as a terminal would show it. */
export interface LogLine {
  /** The byte of the log at which it begins. */
  readonly at: number;
  readonly text: string;
  /** Where some of it is coloured: all of it in parts. */
  readonly parts?: readonly LogPart[];
}

export interface LogPart {
  readonly text: string;
  /** Class names of the style sheet; empty for plain text. */
  readonly classes: string;
}

/** Class names of the current style; it continues on the next line. */
export type LogStyle = readonly string[];

/** Lines longer than this are cut where they are shown: one line of a megabyte stops every browser. */
const MOST_CHARACTERS = 20_000;

/** Reads a line without its end, from the style that the line before left. */
export function readLine(
  raw: string,
  at: number,
  style: LogStyle,
): { readonly line: LogLine; readonly style: LogStyle } {
  const whole = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
  if (!SPECIAL.test(whole)) return { line: { at, text: shortened(whole) }, style };
  const { parts, style: last } = readParts(whole, style);
  const shown = parts
    .map(({ text, classes }) => ({ text: shownText(text), classes }))
    .filter(({ text }) => text !== '');
  const text = shown.map((part) => part.text).join('');
  const isColoured = shown.some(({ classes }) => classes !== '') && text.length <= MOST_CHARACTERS;
  return { line: { at, text: shortened(text), ...(isColoured && { parts: shown }) }, style: last };
}

/** Anything that is not simply shown: control characters and marks of direction. */
const SPECIAL = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
/** A sequence of a terminal, or what goes back to the left. */
const SEQUENCE = new RegExp(`${TERMINAL_SEQUENCE.source}|\\r`, 'g');

/** Of a line that was written over (a progress bar) the last state counts. */
function readParts(raw: string, before: LogStyle): { parts: readonly LogPart[]; style: LogStyle } {
  let style = before;
  let parts: LogPart[] = [];
  let overwritten: readonly LogPart[] = [];
  let place = 0;
  const add = (text: string) => text !== '' && parts.push({ text, classes: style.join(' ') });
  for (const found of raw.matchAll(SEQUENCE)) {
    add(raw.slice(place, found.index));
    place = found.index + found[0].length;
    if (found[1] !== undefined) style = applyCodes(style, found[1]);
    if (found[0] !== '\r') continue;
    if (parts.length > 0) overwritten = parts;
    parts = [];
  }
  add(raw.slice(place));
  return { parts: parts.length > 0 ? parts : overwritten, style };
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const WEIGHTS: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline' };

function applyCodes(style: LogStyle, codes: string): LogStyle {
  let now = style;
  const numbers = codes.split(/[;:]/).map(Number);
  const without = (...names: readonly string[]) => now.filter((name) => !names.includes(name));
  for (let place = 0; place < numbers.length; place++) {
    const code = numbers[place] ?? 0;
    const weight = WEIGHTS[code];
    const hue = code >= 90 && code <= 97 ? code - 90 : code - 30;
    if (code === 0) now = [];
    else if (weight !== undefined) now = [...without(weight), weight];
    else if (code === 22) now = without('bold', 'dim');
    else if (code === 23) now = without('italic');
    else if (code === 24) now = without('underline');
    else if (hue >= 0 && hue < 8)
      now = [...without(...COLOURS), COLOURS[hue] as string]; // inside by the test
    else if (code === 39) now = without(...COLOURS);
    // Colours of many, and those of the background, are not shown; their numbers are passed over.
    else if (code === 38 || code === 48) place += numbers[place + 1] === 5 ? 2 : 4;
  }
  return now;
}

/** Characters erased by a backspace are removed; tabs stay; other invisible characters are made visible. */
function shownText(text: string): string {
  const kept = text.includes('\b') ? withoutErased(text) : text;
  return kept.split('\t').map(visible).join('\t');
}

function withoutErased(text: string): string {
  const kept: string[] = [];
  for (const character of text) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)} … ${text.length - MOST_CHARACTERS} more characters`;
}

/**
 * A line as the address names it: "12", counted from the beginning, or "b4096", the byte at which it begins. Only the
 * segment from the beginning on has lines that are counted.
 */
export function placeOf(segment: LogSegment, index: number, { at }: Pick<LogLine, 'at'>): string {
  return segment.from === 0 ? String(index + 1) : `b${at}`;
}

/** The byte that a place names; undefined where it is counted. */
export function byteOf(place: string | undefined): number | undefined {
  const [, digits] = /^b(\d{1,15})$/.exec(place ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether the byte is in one of the segments. */
export function hasByte(segments: readonly LogSegment[], byte: number): boolean {
  return segments.some(({ from, next }) => byte >= from && byte < next);
}

/** Places of all lines that hold the text, whatever its case. */
export function findPlaces(segments: readonly LogSegment[], text: string): readonly string[] {
  if (text === '') return [];
  const wanted = text.toLowerCase();
  const found: string[] = [];
  for (const segment of segments) {
    for (const { first, lines } of segment.blocks) {
      for (const [place, line] of lines.entries())
        if (line.text.toLowerCase().includes(wanted)) found.push(placeOf(segment, first + place, line));
    }
    const { rest, lineCount } = segment;
    if (rest?.text.toLowerCase().includes(wanted)) found.push(placeOf(segment, lineCount, rest));
  }
  return found;
}
