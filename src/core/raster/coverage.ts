import { LEVELS, type Paint, type Sheet } from './sheet.ts';

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The pixels that a shape covers, relative to where it is drawn: x, y and sixteenths in turn. */
export interface Mask extends Bounds {
  readonly dots: Int8Array | Int16Array;
}

/**
 * Places within a shape are whole numbers of these parts of a pixel. Before V8 has compiled a function, each fraction it
 * computes is an object of its own: for one picture a process, whole numbers take half of the time.
 */
const UNIT = 256;
const BITS = 8;
/** Sums of a pixel that is covered whole. */
const WHOLE_BITS = 2 * BITS + 1;
/** From a sum to sixteenths. */
const LEVEL_BITS = WHOLE_BITS - Math.log2(LEVELS);
const HALF_LEVEL = 1 << (LEVEL_BITS - 1);

/** Pixels that are looked at together: where no edge passes, all have the cover of the one before. */
const SHIFT = 3;
const BLOCK = 1 << SHIFT;

/**
 * Exact cover of pixels by polygons. Each edge adds, to the pixels it passes, by how much the area to its right grows
 * there; the running sum along a row is the cover. Edges of one shape may come in any order; where parts that turn the
 * same way overlap, they count once.
 */
export class Coverage {
  #sums = new Int32Array(1 << 14);
  #touched = new Uint8Array(1 << 10);
  #left = 0;
  #top = 0;
  #width = 0;
  #height = 0;
  #stride = 0;
  #blocks = 0;

  /** Begins a shape that stays within the bounds. */
  begin({ left, top, right, bottom }: Bounds): void {
    this.#left = Math.floor(left);
    this.#top = Math.floor(top);
    this.#width = Math.ceil(right) - this.#left + 1;
    this.#height = Math.ceil(bottom) - this.#top + 1;
    this.#blocks = (this.#width + 1 + BLOCK) >> SHIFT;
    this.#stride = this.#blocks << SHIFT;
    const sums = this.#stride * this.#height;
    const touched = this.#blocks * this.#height;
    if (sums > this.#sums.length) this.#sums = new Int32Array(sums);
    else this.#sums.fill(0, 0, sums);
    if (touched > this.#touched.length) this.#touched = new Uint8Array(touched);
    else this.#touched.fill(0, 0, touched);
  }

  /** Edges from corner to corner, and from the last to the first; x and y in turn. */
  polygon(points: readonly number[]): void {
    let x = points[points.length - 2] as number;
    let y = points[points.length - 1] as number;
    for (let at = 0; at < points.length; at += 2) {
      const nextX = points[at] as number;
      const nextY = points[at + 1] as number;
      this.edge(x, y, nextX, nextY);
      x = nextX;
      y = nextY;
    }
  }

  /** An edge from one point to another, in pixels. */
  edge(fromX: number, fromY: number, toX: number, toY: number): void {
    const startX = Math.round(fromX * UNIT) - this.#left * UNIT;
    const startY = Math.round(fromY * UNIT) - this.#top * UNIT;
    const endX = Math.round(toX * UNIT) - this.#left * UNIT;
    const endY = Math.round(toY * UNIT) - this.#top * UNIT;
    if (startY < endY) this.#down(startX, startY, endX, endY, 1);
    else if (endY < startY) this.#down(endX, endY, startX, startY, -1);
  }

  #down(startX: number, startY: number, endX: number, endY: number, way: number): void {
    const across = endX - startX;
    const down = endY - startY;
    const first = startY >> BITS;
    const last = (endY - 1) >> BITS;
    if (first === last) {
      this.#slice(first, startX, endX, down * way);
      return;
    }
    const sums = this.#sums;
    const touched = this.#touched;
    const stride = this.#stride;
    const blocks = this.#blocks;
    // Where it crosses the lower ends of rows, by whole steps and what is left over of them: no fractions on the way.
    const step = Math.floor((across * UNIT) / down);
    const left = across * UNIT - step * down;
    const above = across * (((first + 1) << BITS) - startY) + (down >> 1);
    let nextX = startX + Math.floor(above / down);
    let over = above - (nextX - startX) * down;
    this.#slice(first, startX, nextX, (((first + 1) << BITS) - startY) * way);
    let x = nextX;
    const height = way << BITS;
    const whole = way << WHOLE_BITS;
    for (let row = first + 1, at = row * stride, block = row * blocks; row < last; row++) {
      nextX += step;
      over += left;
      if (over >= down) {
        over -= down;
        nextX++;
      }
      const column = x >> BITS;
      if (column === nextX >> BITS) {
        const beyond = height * ((x & (UNIT - 1)) + (nextX & (UNIT - 1)));
        sums[at + column] = (sums[at + column] as number) + whole - beyond;
        sums[at + column + 1] = (sums[at + column + 1] as number) + beyond;
        touched[block + (column >> SHIFT)] = 1;
        touched[block + ((column + 1) >> SHIFT)] = 1;
      } else this.#slice(row, x, nextX, height);
      x = nextX;
      at += stride;
      block += blocks;
    }
    this.#slice(last, x, endX, (endY - (last << BITS)) * way);
  }

  /** The part of an edge within one row of pixels, from one end to the other. */
  #slice(row: number, from: number, to: number, height: number): void {
    const left = from < to ? from : to;
    const right = from < to ? to : from;
    const sums = this.#sums;
    const touched = this.#touched;
    const blocks = row * this.#blocks;
    const last = right >> BITS;
    let column = left >> BITS;
    let at = row * this.#stride + column;
    if (column === last) {
      const beyond = height * ((left & (UNIT - 1)) + (right & (UNIT - 1)));
      sums[at] = (sums[at] as number) + (height << (BITS + 1)) - beyond;
      sums[at + 1] = (sums[at + 1] as number) + beyond;
      touched[blocks + (column >> SHIFT)] = 1;
      touched[blocks + ((column + 1) >> SHIFT)] = 1;
      return;
    }
    let start = left & (UNIT - 1);
    let used = 0;
    for (; column <= last; column++, at++) {
      const end = column === last ? right & (UNIT - 1) : UNIT;
      const upTo =
        column === last ? height : Math.round((height * (((column + 1) << BITS) - left)) / (right - left));
      const part = upTo - used;
      const beyond = part * (start + end);
      sums[at] = (sums[at] as number) + (part << (BITS + 1)) - beyond;
      sums[at + 1] = (sums[at + 1] as number) + beyond;
      touched[blocks + (column >> SHIFT)] = 1;
      used = upTo;
      start = 0;
    }
    touched[blocks + ((last + 1) >> SHIFT)] = 1;
  }

  /** Lays paint where the shape is; what lies outside of the sheet is lost. */
  fill(sheet: Sheet, paint: Paint): void {
    const end = Math.min(this.#height, sheet.height - this.#top);
    for (let row = Math.max(0, -this.#top); row < end; row++) this.#fillRow(row, sheet, paint);
  }

  #fillRow(row: number, sheet: Sheet, paint: Paint): void {
    const sums = this.#sums;
    const touched = this.#touched;
    const { cells } = sheet;
    const steps = LEVELS + 1;
    const [first, beyond] = [Math.max(0, -this.#left), Math.min(this.#stride, sheet.width - this.#left)];
    const toCell = (this.#top + row) * sheet.width + this.#left;
    const toSum = row * this.#stride;
    const end = (row + 1) * this.#blocks;
    let { mixed } = paint;
    let sum = 0;
    let level = 0;
    for (let block = row * this.#blocks, column = 0; block < end; ) {
      const from = column;
      for (; block < end && touched[block] === 0; block++) column += BLOCK;
      if (level > 0 && column > from) {
        const [start, stop] = [from < first ? first : from, column > beyond ? beyond : column];
        sheet.cover(toCell + start, toCell + stop, [paint, level]);
      }
      for (; block < end && touched[block] === 1; block++) {
        for (const stop = column + BLOCK; column < stop; column++) {
          const more = sums[toSum + column] as number;
          if (more !== 0) {
            sum += more;
            // As in levelOf: to call it takes longer than what it does.
            level = ((sum < 0 ? -sum : sum) + HALF_LEVEL) >> LEVEL_BITS;
            if (level > LEVELS) level = LEVELS;
          }
          if (level === 0 || column < first || column >= beyond) continue;
          const under = cells[toCell + column] as number;
          const known = mixed[under * steps + level];
          if (known) cells[toCell + column] = known - 1;
          else {
            cells[toCell + column] = sheet.mix(paint, under, level);
            mixed = paint.mixed;
          }
        }
      }
    }
  }

  /** The shape itself, to be drawn more than once. */
  mask(): Mask {
    const dots: number[] = [];
    for (let row = 0; row < this.#height; row++) {
      let sum = 0;
      for (let column = 0; column < this.#width; column++) {
        const more = this.#sums[row * this.#stride + column] as number;
        sum += more;
        if (sum === 0) continue;
        const level = levelOf(sum);
        if (level > 0) dots.push(this.#left + column, this.#top + row, level);
      }
    }
    return {
      left: this.#left,
      top: this.#top,
      right: this.#left + this.#width,
      bottom: this.#top + this.#height,
      dots: Int16Array.from(dots),
    };
  }
}

function levelOf(sum: number): number {
  const level = ((sum < 0 ? -sum : sum) + HALF_LEVEL) >> LEVEL_BITS;
  return level > LEVELS ? LEVELS : level;
}
