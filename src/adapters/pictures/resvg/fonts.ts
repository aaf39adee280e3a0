import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Font, openFont } from '../../../core/fonts/outlines.ts';

/** Our font, plain and bold. To find a package takes a while: not before it is needed. */
export function fontFiles(): readonly [plain: string, bold: string] {
  const require = createRequire(import.meta.url);
  return [
    require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  ];
}

const opened: Font[] = [];

/** Opened once, and only those that are asked for. */
export function fonts(isBold: boolean): Font {
  const place = isBold ? 1 : 0;
  opened[place] ??= openFont(readFileSync(fontFiles()[place]));
  return opened[place];
}
