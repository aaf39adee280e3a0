import type { Stretch } from './read-path.ts';

/** Cuts stretches into dashes: lengths in pixels, drawn and left out in turn. */
export function dashPath(stretches: readonly Stretch[], lengths: readonly number[]): readonly Stretch[] {
  const dashes: Stretch[] = [];
  for (const { points } of stretches) {
    let turn = 0;
    let left = lengths[0] ?? 0;
    let dash = [points[0] ?? 0, points[1] ?? 0];
    for (let at = 2; at < points.length; at += 2) {
      let [x, y] = [points[at - 2] as number, points[at - 1] as number];
      const [endX, endY] = [points[at] as number, points[at + 1] as number];
      let rest = Math.hypot(endX - x, endY - y);
      while (rest > left) {
        x += ((endX - x) * left) / rest;
        y += ((endY - y) * left) / rest;
        rest -= left;
        if (turn % 2 === 0) dashes.push({ points: [...dash, x, y], isClosed: false });
        left = lengths[++turn % lengths.length] ?? 0;
        dash = [x, y];
      }
      left -= rest;
      dash.push(endX, endY);
    }
    if (turn % 2 === 0 && dash.length > 2) dashes.push({ points: dash, isClosed: false });
  }
  return dashes;
}
