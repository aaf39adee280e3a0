import { readFileSync } from 'node:fs';
import { ReadyLetters } from '../../../core/raster/ready-letters.ts';

/** Beside this module: drawn from our fonts when the program was built (scripts/program/draw-letters.mjs). */
const FILE = new URL('./letters.bin', import.meta.url);

let ready: ReadyLetters | undefined;
let isLookedFor = false;

/** undefined: they were not built, and are drawn as they are needed. */
export function readyLetters(): ReadyLetters | undefined {
  if (!isLookedFor) {
    isLookedFor = true;
    ready = openLetters();
  }
  return ready;
}

function openLetters(): ReadyLetters | undefined {
  try {
    return new ReadyLetters(readFileSync(FILE));
  } catch {
    return undefined;
  }
}
