import type { Bounds } from './coverage.ts';
import { NotOurs } from './not-ours.ts';
import type { Stretch } from './read-path.ts';

/** Whole shapes are measured, also what lies beside the sheet: one that is far larger than it is not ours. */
export function boundsOf(
  stretches: readonly Stretch[],
  reach: number,
  { width, height }: { readonly width: number; readonly height: number },
): Bounds {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (const { points } of stretches) {
    for (let at = 0; at < points.length; at += 2) {
      const x = points[at] as number;
      const y = points[at + 1] as number;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  const bounds = grown({ left, top, right, bottom }, reach);
  const isNear =
    bounds.left >= -width &&
    bounds.right <= 2 * width &&
    bounds.top >= -height &&
    bounds.bottom <= 2 * height;
  if (!isNear) throw new NotOurs('a shape that is larger than the sheet');
  return bounds;
}

export function grown({ left, top, right, bottom }: Bounds, by: number): Bounds {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}
