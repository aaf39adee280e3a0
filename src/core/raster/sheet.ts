import { NotOurs } from './not-ours.ts';

/**
 * Parts of a pixel that are told apart. As many shades between two colours cannot be seen in an edge, and most charts
 * then have fewer than 256 colours, which makes their files small and quick to pack.
 */
export const LEVELS = 16;
const STEPS = LEVELS + 1;

/** Cells of a sheet are 16 bits, and a paint keeps one number for "not mixed yet". */
const MAX_COLOURS = 65_535;

/** From so many colours on, what is mixed at an edge takes one that is there already, if it is as near as this. */
const FEW = 192;
const TOLERANCE = 8;
const MAX_LOOKED_AT = 256;

/** A colour that is laid over others, and what came of it so far. */
export interface Paint {
  /** 0xrrggbb */
  readonly rgb: number;
  readonly opacity: number;
  /** By what lies under it and how much of the pixel it covers: the place of the mixture, plus one. */
  mixed: Uint16Array;
}

/** A picture while it is drawn: each pixel is the place of its colour in a list. */
export class Sheet {
  readonly width: number;
  readonly height: number;
  readonly cells: Uint16Array;
  /** 0xrrggbb; the first is the ground. */
  readonly colours: number[] = [];
  readonly #places = new Map<number, number>();
  readonly #paints = new Map<string, Paint>();

  /** `cells` are zeros, one for each pixel. */
  constructor(cells: Uint16Array, [width, height]: readonly [number, number], ground: number) {
    this.width = width;
    this.height = height;
    this.cells = cells;
    this.#placeOf(ground);
  }

  paint(rgb: number, opacity: number): Paint {
    const key = `${rgb} ${opacity}`;
    const known = this.#paints.get(key);
    if (known) return known;
    const paint = { rgb, opacity, mixed: new Uint16Array(256 * STEPS) };
    this.#paints.set(key, paint);
    return paint;
  }

  /** Lays paint over the cells from `start` to before `end`. */
  cover(start: number, end: number, [paint, level]: readonly [Paint, number]): void {
    const { cells } = this;
    if (level === LEVELS && paint.opacity === 1) {
      cells.fill(this.mix(paint, 0, level), start, end);
      return;
    }
    for (let at = start; at < end; at++) {
      const under = cells[at] as number;
      const known = paint.mixed[under * STEPS + level];
      cells[at] = known ? known - 1 : this.mix(paint, under, level);
    }
  }

  /** The place of the colour that comes of so much paint over another. */
  mix(paint: Paint, under: number, level: number): number {
    const at = under * STEPS + level;
    if (at >= paint.mixed.length) {
      const grown = new Uint16Array(Math.max(at + STEPS, paint.mixed.length * 2));
      grown.set(paint.mixed);
      paint.mixed = grown;
    }
    const known = paint.mixed[at];
    if (known) return known - 1;
    const share = (paint.opacity * level) / LEVELS;
    const rgb = blend(this.colours[under] as number, paint.rgb, share);
    const place = share < 1 && this.colours.length >= FEW ? this.#near(rgb) : this.#placeOf(rgb);
    paint.mixed[at] = place + 1;
    return place;
  }

  /** The place of a colour that nobody tells from this one, if there is one: the first, as most edges are of the first lines. */
  #near(rgb: number): number {
    const { colours } = this;
    const [red, green, blue] = [rgb >> 16, (rgb >> 8) & 255, rgb & 255];
    const end = Math.min(colours.length, MAX_LOOKED_AT);
    for (let place = 0; place < end; place++) {
      const colour = colours[place] as number;
      if (Math.abs((colour >> 16) - red) > TOLERANCE) continue;
      if (Math.abs(((colour >> 8) & 255) - green) > TOLERANCE) continue;
      if (Math.abs((colour & 255) - blue) <= TOLERANCE) return place;
    }
    return this.#placeOf(rgb);
  }

  #placeOf(rgb: number): number {
    const known = this.#places.get(rgb);
    if (known !== undefined) return known;
    if (this.colours.length >= MAX_COLOURS) throw new NotOurs('more colours than a sheet has room for');
    this.#places.set(rgb, this.colours.length);
    return this.colours.push(rgb) - 1;
  }
}

function blend(under: number, over: number, share: number): number {
  let mixed = 0;
  for (let shift = 0; shift <= 16; shift += 8) {
    const from = (under >> shift) & 255;
    mixed |= Math.round(from + (((over >> shift) & 255) - from) * share) << shift;
  }
  return mixed;
}
