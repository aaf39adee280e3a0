import type { Font } from '../fonts/outlines.ts';
import type { Coverage } from './coverage.ts';
import { LetterCase, PARTS } from './letter-case.ts';
import { NotOurs } from './not-ours.ts';
import type { LetterStyle, ReadyLetters } from './ready-letters.ts';
import type { Paint, Sheet } from './sheet.ts';
import { stamp } from './stamp.ts';

/** Fonts by weight; opened when the first text asks for one. */
export type Fonts = (isBold: boolean) => Font;

/** Where letters come from. */
export interface LetterSources {
  readonly fonts: Fonts;
  /** Looked for with the first text. */
  readonly ready?: () => ReadyLetters | undefined;
}

export interface Text extends LetterStyle {
  readonly content: string;
  /** Where it begins, in its middle or ends, in pixels. */
  readonly x: number;
  readonly y: number;
  /** Of its length that lies before that place: 0, a half or 1. */
  readonly share: number;
}

/** Sizes and turns of letters that are kept: a night draws hundreds of charts with the same few. */
const MAX_CASES = 100;

/**
 * Characters that are drawn one beside the other, whatever their neighbours are: no accents of their own, no scripts
 * whose letters join, nothing that is not seen.
 */
const PLAIN =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u0556\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u20bf\u2100-\u23ff\u2500-\u27bf]*$/;

/** Draws texts by the outlines of a font. */
export class TextDrawer {
  readonly #sources: LetterSources;
  readonly #coverage: Coverage;
  readonly #cases = new Map<string, LetterCase>();

  constructor(sources: LetterSources, coverage: Coverage) {
    this.#sources = sources;
    this.#coverage = coverage;
  }

  draw(sheet: Sheet, text: Text, paint: Paint): void {
    if (!PLAIN.test(text.content)) throw new NotOurs('a text that is more than letters side by side');
    const letters = this.#caseOf(text);
    const scale = text.size / letters.unitsPerEm;
    const [right, down] = [Math.cos(radians(text.turn)) * scale, Math.sin(radians(text.turn)) * scale];
    let length = 0;
    for (const character of text.content) length += letterOf(letters, character).advance;
    let pen = -text.share * length;
    for (const character of text.content) {
      const letter = letterOf(letters, character);
      const x = Math.round((text.x + pen * right) * PARTS);
      const y = Math.round((text.y + pen * down) * PARTS);
      const whole = { x: Math.floor(x / PARTS), y: Math.floor(y / PARTS) };
      const mask = letters.mask(letter, [x - whole.x * PARTS, y - whole.y * PARTS], this.#coverage);
      if (mask) stamp(sheet, mask, { paint, ...whole });
      pen += letter.advance;
    }
  }

  #caseOf({ isBold, size, turn }: Text): LetterCase {
    const key = `${isBold} ${size} ${turn}`;
    const known = this.#cases.get(key);
    if (known) return known;
    if (this.#cases.size >= MAX_CASES) this.#cases.clear();
    const made = new LetterCase({
      font: () => this.#sources.fonts(isBold),
      style: { isBold, size, turn },
      ready: this.#sources.ready?.(),
    });
    this.#cases.set(key, made);
    return made;
  }
}

function letterOf(letters: LetterCase, character: string) {
  const letter = letters.letter(character);
  if (!letter) throw new NotOurs(`the font has no ${character}`);
  return letter;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
