import type { Mask } from './coverage.ts';
import { LEVELS, type Paint, type Sheet } from './sheet.ts';

/** Lays paint through a mask that is placed at whole pixels. */
export function stamp(
  sheet: Sheet,
  { left, top, width, height, levels }: Mask,
  { paint, x, y }: { readonly paint: Paint; readonly x: number; readonly y: number },
): void {
  const { cells } = sheet;
  const steps = LEVELS + 1;
  const [from, to] = [Math.max(0, -(x + left)), Math.min(width, sheet.width - (x + left))];
  const end = Math.min(height, sheet.height - (y + top));
  for (let row = Math.max(0, -(y + top)); row < end; row++) {
    const start = (y + top + row) * sheet.width + x + left;
    for (let column = from; column < to; column++) {
      const level = levels[row * width + column] as number;
      if (level === 0) continue;
      const under = cells[start + column] as number;
      const known = paint.mixed[under * steps + level];
      cells[start + column] = known ? known - 1 : sheet.mix(paint, under, level);
    }
  }
}
