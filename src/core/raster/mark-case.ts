import { boundsOf } from './bounds-of.ts';
import type { Coverage, Mask } from './coverage.ts';
import { PARTS } from './letter-case.ts';
import { type Place, readPath } from './read-path.ts';
import type { Paint, Sheet } from './sheet.ts';
import { stamp } from './stamp.ts';

/** A place, and from there on only steps: the marks of points, which a chart has many of. */
const MARK = /^M(-?\d{1,6}(?:\.\d)?) (-?\d{1,6}(?:\.\d)?)([ahlvz\d .-]*z)$/;
/** Marks that are kept; charts have a handful. */
const MAX_MARKS = 500;

/** Shapes of marks, drawn once for each quarter of a pixel as letters are. */
export class MarkCase {
  readonly #coverage: Coverage;
  readonly #masks = new Map<string, Mask>();

  constructor(coverage: Coverage) {
    this.#coverage = coverage;
  }

  /** False: the path is no mark. */
  draw(d: string, { scale, left, top }: Place, [sheet, paint]: readonly [Sheet, Paint]): boolean {
    const [, x, y, steps = ''] = d.length > MAX_LENGTH ? [] : (MARK.exec(d) ?? []);
    if (x === undefined) return false;
    const atX = Math.round((Number(x) * scale + left) * PARTS);
    const atY = Math.round((Number(y) * scale + top) * PARTS);
    const whole = { x: Math.floor(atX / PARTS), y: Math.floor(atY / PARTS) };
    const mask = this.#mask(steps, { scale, left: atX / PARTS - whole.x, top: atY / PARTS - whole.y });
    stamp(sheet, mask, { paint, ...whole });
    return true;
  }

  #mask(steps: string, place: Place): Mask {
    const key = `${place.scale} ${place.left} ${place.top} ${steps}`;
    const known = this.#masks.get(key);
    if (known) return known;
    if (this.#masks.size >= MAX_MARKS) this.#masks.clear();
    const stretches = readPath(`M0 0${steps}`, place);
    this.#coverage.begin(boundsOf(stretches, 0, { width: MAX_SIZE, height: MAX_SIZE }));
    for (const { points } of stretches) this.#coverage.polygon(points);
    const mask = this.#coverage.mask();
    this.#masks.set(key, mask);
    return mask;
  }
}

const MAX_LENGTH = 120;
const MAX_SIZE = 200;
