import type { Coverage } from './coverage.ts';
import { NotOurs } from './not-ours.ts';
import type { Stretch } from './read-path.ts';

export interface Pen {
  /** Half of its width, in pixels. */
  readonly reach: number;
  readonly join: 'round' | 'bevel' | 'miter';
}

/**
 * The edges of a line with a width: a box along each part and a wedge outside of each corner. All turn the same way, and
 * a wedge shares its sides with the boxes, so that nothing is counted twice but a little within the corner.
 */
export function strokePath(coverage: Coverage, stretches: readonly Stretch[], pen: Pen): void {
  for (const { points, isClosed } of stretches) {
    if (isClosed) throw new NotOurs('a line around a path');
    const parts = partsOf(points);
    for (const [index, part] of parts.entries()) {
      addBox(coverage, part, pen.reach);
      const next = parts[index + 1];
      if (next) addCorner(coverage, [part, next], pen);
    }
  }
}

/** From a point in a direction (of length one) to another point. */
interface Part {
  readonly x: number;
  readonly y: number;
  readonly endX: number;
  readonly endY: number;
  readonly dx: number;
  readonly dy: number;
}

function partsOf(points: readonly number[]): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 2; at < points.length; at += 2) {
    const x = points[at - 2] as number;
    const y = points[at - 1] as number;
    const endX = points[at] as number;
    const endY = points[at + 1] as number;
    const length = Math.hypot(endX - x, endY - y);
    if (length > 0) parts.push({ x, y, endX, endY, dx: (endX - x) / length, dy: (endY - y) / length });
  }
  return parts;
}

function addBox(coverage: Coverage, { x, y, endX, endY, dx, dy }: Part, reach: number): void {
  const sideX = -dy * reach;
  const sideY = dx * reach;
  coverage.edge(x + sideX, y + sideY, x - sideX, y - sideY);
  coverage.edge(x - sideX, y - sideY, endX - sideX, endY - sideY);
  coverage.edge(endX - sideX, endY - sideY, endX + sideX, endY + sideY);
  coverage.edge(endX + sideX, endY + sideY, x + sideX, y + sideY);
}

/** Corners of a round join are at most this far from each other, in radians. */
const STEP = 0.7;

function addCorner(coverage: Coverage, [from, to]: readonly [Part, Part], { reach, join }: Pen): void {
  const cross = from.dx * to.dy - from.dy * to.dx;
  const angle = Math.atan2(cross, from.dx * to.dx + from.dy * to.dy);
  if (Math.abs(angle) < 1e-3) return;
  if (join === 'miter') throw new NotOurs('a line with pointed corners');
  const { endX: x, endY: y } = from;
  // The outside lies left of a turn to the right, and right of one to the left.
  const side = angle > 0 ? -reach : reach;
  const steps = join === 'bevel' ? 1 : Math.ceil(Math.abs(angle) / STEP);
  let [lastX, lastY] = [x - from.dy * side, y + from.dx * side];
  const [firstX, firstY] = [lastX, lastY];
  const add = (x0: number, y0: number, x1: number, y1: number) =>
    angle > 0 ? coverage.edge(x0, y0, x1, y1) : coverage.edge(x1, y1, x0, y0);
  for (let step = 1; step <= steps; step++) {
    const turn = (angle * step) / steps;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const [dx, dy] = [from.dx * cos - from.dy * sin, from.dx * sin + from.dy * cos];
    const [nextX, nextY] = [x - dy * side, y + dx * side];
    add(lastX, lastY, nextX, nextY);
    [lastX, lastY] = [nextX, nextY];
  }
  add(lastX, lastY, x, y);
  add(x, y, firstX, firstY);
}
