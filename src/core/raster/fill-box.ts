import type { Bounds } from './coverage.ts';
import { LEVELS, type Paint, type Sheet } from './sheet.ts';

/** A rectangle along the pixels: no edges to follow, each row is one stretch between two pixels that are covered in part. */
export function fillBox(sheet: Sheet, { left, top, right, bottom }: Bounds, paint: Paint): void {
  const [first, last] = [Math.max(0, Math.floor(top)), Math.min(sheet.height, Math.ceil(bottom))];
  const [from, to] = [Math.max(0, left), Math.min(sheet.width, right)];
  if (from >= to) return;
  const [inner, outer] = [Math.ceil(from), Math.floor(to)];
  if (
    paint.opacity === 1 &&
    inner === from &&
    outer === to &&
    Number.isInteger(top) &&
    Number.isInteger(bottom)
  ) {
    const place = sheet.mix(paint, 0, LEVELS);
    for (let row = first; row < last; row++) {
      const start = row * sheet.width + inner;
      if (outer - inner === 1) sheet.cells[start] = place;
      else sheet.cells.fill(place, start, start + outer - inner);
    }
    return;
  }
  for (let row = first; row < last; row++) {
    const share = Math.min(row + 1, bottom) - Math.max(row, top);
    const start = row * sheet.width;
    if (inner > outer) {
      cover(sheet, start + outer, [share * (to - from), paint]);
      continue;
    }
    if (inner > from) cover(sheet, start + inner - 1, [share * (inner - from), paint]);
    const level = Math.round(share * LEVELS);
    if (level > 0) sheet.cover(start + inner, start + outer, [paint, level]);
    if (to > outer) cover(sheet, start + outer, [share * (to - outer), paint]);
  }
}

function cover(sheet: Sheet, at: number, [share, paint]: readonly [number, Paint]): void {
  const level = Math.round(share * LEVELS);
  if (level > 0) sheet.cover(at, at + 1, [paint, level]);
}
