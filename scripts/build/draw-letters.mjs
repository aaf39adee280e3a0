// Draws the letters of charts once, so that one chart a process need not: see src/core/raster/ready-letters.ts.
import { renameSync, writeFileSync } from 'node:fs';

const FILE = 'dist/src/adapters/pictures/resvg/letters.bin';

export async function drawLetters() {
  const { packLetters } = await import('../../dist/src/core/raster/pack-letters.js');
  const { fonts } = await import('../../dist/src/adapters/pictures/resvg/fonts.js');
  const letters = packLetters(fonts);
  const unfinished = `${FILE}.${process.pid}.part`;
  writeFileSync(unfinished, letters);
  renameSync(unfinished, FILE);
  return letters;
}
