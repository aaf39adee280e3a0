/**
 * About how wide a text is, in pixels. There are no font metrics here: classes of characters as DejaVu Sans draws them,
 * which is wider than most system fonts, so that what fits by this measure fits on the screen.
 */
export function textWidth(text: string, size: number): number {
  let em = 0;
  for (const character of text) {
    const code = character.charCodeAt(0);
    em += character.length === 1 && code < 128 ? (ASCII[code] ?? 0) : widthOf(character);
  }
  return em * size;
}

const NARROW = /[ijl.,:;'|!\u202f ]/;
const WIDE = /[mwMW@%…]/;

/** The text, or as much of it as fits, with "…" for the rest: in the middle, as names differ most often at their ends. */
export function shorten(text: string, size: number, room: number): string {
  // A name of a megabyte is not measured to its end.
  const start = text.length > 500 ? text.slice(0, 250) + text.slice(-250) : text;
  if (start === text && textWidth(text, size) <= room) return text;
  const characters = graphemes(start);
  let kept = characters.length - 1;
  while (kept > 1 && textWidth(cut(characters, kept), size) > room) kept--;
  return cut(characters, kept);
}

/** An emoji of several code points is not to be cut in two. Plain text needs no segmenter, which takes long to make. */
function graphemes(text: string): readonly string[] {
  if (isAscii(text)) return [...text];
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}

/** Nearly all text of charts: looked up, not classified. */
const ASCII = Float64Array.from({ length: 128 }, (_, code) => asciiWidth(String.fromCharCode(code)));

function asciiWidth(character: string): number {
  if (NARROW.test(character)) return 0.34;
  if (WIDE.test(character)) return 0.95;
  return /[A-Z]/.test(character) ? 0.7 : 0.62;
}

function cut(characters: readonly string[], kept: number): string {
  const head = Math.ceil(kept / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (kept - head)).join('')}`;
}

function widthOf(character: string): number {
  if (NARROW.test(character)) return 0.34;
  if (WIDE.test(character)) return 0.95;
  if (/\p{M}|\u200d|\ufe0f/u.test(character)) return 0;
  if (
    /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u.test(
      character,
    )
  ) {
    return character <= '\u00ff' ? 0.65 : 1.05;
  }
  return /\p{Lu}/u.test(character) ? 0.7 : 0.62;
}
