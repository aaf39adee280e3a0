import { Coverage } from './coverage.ts';
import type { Fonts } from './draw-text.ts';
import { LetterCase, PARTS, placeAlong } from './letter-case.ts';
import { ADVANCES, HEAD, READY_CHARACTERS, READY_STYLES, STARTS } from './ready-letters.ts';

/** Draws the letters that `ReadyLetters` has ready. */
export function packLetters(fonts: Fonts): Uint8Array {
  const coverage = new Coverage();
  const head = new Int32Array(HEAD);
  const masks: number[] = [];
  let number = 0;
  for (const style of READY_STYLES) {
    const letters = new LetterCase({ font: () => fonts(style.isBold), style });
    head[0] = letters.unitsPerEm;
    for (const character of READY_CHARACTERS) {
      const letter = letters.letter(character);
      if (!letter) throw new Error(`The font has no ${character}: it cannot be ready.`);
      head[ADVANCES + number] = letter.advance;
      for (let place = 0; place < PARTS; place++) {
        head[STARTS + number * PARTS + place] = masks.length;
        const mask = letters.mask(letter, placeAlong(style.turn, place), coverage);
        if (mask) masks.push(mask.left, mask.top, mask.right, mask.bottom, ...mask.dots);
      }
      number++;
    }
  }
  head[HEAD - 1] = masks.length;
  const packed = new Uint8Array(head.byteLength + masks.length);
  packed.set(new Uint8Array(head.buffer));
  packed.set(Int8Array.from(masks), head.byteLength);
  return packed;
}
