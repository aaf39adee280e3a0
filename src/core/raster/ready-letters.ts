import type { Mask } from './coverage.ts';
import { PARTS } from './letter-case.ts';

/** How a text looks. */
export interface LetterStyle {
  readonly isBold: boolean;
  /** Pixels. */
  readonly size: number;
  /** Degrees, clockwise. */
  readonly turn: number;
}

/** What titles, axes, legends and values of `core/charts` are written in, one pixel for one of theirs. */
export const READY_STYLES: readonly LetterStyle[] = [
  { isBold: false, size: 11, turn: 0 },
  { isBold: false, size: 12, turn: 0 },
  { isBold: true, size: 16, turn: 0 },
  { isBold: false, size: 12, turn: -90 },
  { isBold: false, size: 10, turn: 0 },
  { isBold: false, size: 10, turn: -90 },
];

/** ASCII, and what our own numbers and units are written with. */
export const READY_CHARACTERS = `${String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))}\u00a0·µ±×²³°–−…σ`;

/**
 * Parts of the packed form, in numbers of 32 bits in the order of the machine that built it: the units of the fonts; how far each
 * letter goes; where each mask begins, and where the last one ends. Then the masks, a byte a number: bounds and dots. A letter has one
 * for each place along its text; across it there is one, as the line of a text lies on whole pixels.
 */
export const ADVANCES = 1;
export const STARTS = ADVANCES + READY_STYLES.length * READY_CHARACTERS.length;
export const HEAD = STARTS + READY_STYLES.length * READY_CHARACTERS.length * PARTS + 1;
const BOUNDS = 4;

/**
 * Letters that were drawn when the program was built. To open a font and to draw each letter anew took a third of what one chart a
 * process takes beyond the start of Node.
 */
export class ReadyLetters {
  readonly unitsPerEm: number;
  readonly #head: Int32Array;
  readonly #masks: Int8Array;

  /** What `packLetters` gave, at the beginning of a buffer. Throws if it is not whole, or of a machine with another order. */
  constructor(packed: Uint8Array) {
    this.#head = new Int32Array(packed.buffer, packed.byteOffset, HEAD);
    this.#masks = new Int8Array(packed.buffer, packed.byteOffset + HEAD * 4, this.#head[HEAD - 1]);
    this.unitsPerEm = this.#head[0] as number;
  }

  /** The number of a style; undefined: not one of them. */
  style({ isBold, size, turn }: LetterStyle): number | undefined {
    const style = READY_STYLES.findIndex(
      (one) => one.size === size && one.turn === turn && one.isBold === isBold,
    );
    return style < 0 ? undefined : style;
  }

  /** The number of a letter; undefined: not one of them. */
  letter(style: number, character: string): number | undefined {
    const at = READY_CHARACTERS.indexOf(character);
    return at < 0 ? undefined : style * READY_CHARACTERS.length + at;
  }

  /** In units of the font. */
  advance(letter: number): number {
    return this.#head[ADVANCES + letter] as number;
  }

  /** undefined: nothing to see, as of a space. */
  mask(letter: number, place: number): Mask | undefined {
    const masks = this.#masks;
    const at = STARTS + letter * PARTS + place;
    const [start, end] = [this.#head[at] as number, this.#head[at + 1] as number];
    if (start === end) return undefined;
    return {
      left: masks[start] as number,
      top: masks[start + 1] as number,
      right: masks[start + 2] as number,
      bottom: masks[start + 3] as number,
      dots: masks.subarray(start + BOUNDS, end),
    };
  }
}
