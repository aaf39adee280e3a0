import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Font, openFont } from '../../../core/fonts/outlines.ts';

const require = createRequire(import.meta.url);

/** Our font, plain and bold. */
export const FONTS = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
];

const opened: Font[] = [];

/** Opened once, and only those that are asked for. */
export function fonts(isBold: boolean): Font {
  const place = isBold ? 1 : 0;
  opened[place] ??= openFont(readFileSync(FONTS[place] ?? ''));
  return opened[place];
}
