import type { Mask } from './coverage.ts';
import { LEVELS, type Paint, type Sheet } from './sheet.ts';

/** Lays paint through a mask that is placed at whole pixels. */
export function stamp(
  sheet: Sheet,
  { left, top, right, bottom, dots }: Mask,
  { paint, x, y }: { readonly paint: Paint; readonly x: number; readonly y: number },
): void {
  const { cells, width, height } = sheet;
  const steps = LEVELS + 1;
  const isInside = x + left >= 0 && x + right <= width && y + top >= 0 && y + bottom <= height;
  for (let dot = 0; dot < dots.length; dot += 3) {
    const atX = x + (dots[dot] as number);
    const atY = y + (dots[dot + 1] as number);
    if (!isInside && (atX < 0 || atX >= width || atY < 0 || atY >= height)) continue;
    const at = atY * width + atX;
    const under = cells[at] as number;
    const level = dots[dot + 2] as number;
    const known = paint.mixed[under * steps + level];
    cells[at] = known ? known - 1 : sheet.mix(paint, under, level);
  }
}
