import { TERMINAL_SEQUENCE, visible } from '../../../platform/core/text/terminal-text.ts';

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
  readonly look: string;
}

/** Words of the style that is in force; what follows on the next line has it, too. */
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
    .map(({ text, look }) => ({ text: shownText(text), look }))
    .filter(({ text }) => text !== '');
  const text = shown.map((part) => part.text).join('');
  const isColoured = shown.some(({ look }) => look !== '') && text.length <= MOST_CHARACTERS;
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
  const add = (text: string) => text !== '' && parts.push({ text, look: style.join(' ') });
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
  const without = (...looks: readonly string[]) => now.filter((look) => !looks.includes(look));
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

/** A character that was taken back is gone; tabs stay; all else that is not seen is made visible. */
function shownText(text: string): string {
  const kept = text.includes('\b') ? withoutTakenBack(text) : text;
  return kept.split('\t').map(visible).join('\t');
}

function withoutTakenBack(text: string): string {
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
