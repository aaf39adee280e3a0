import { NotOurs } from './not-ours.ts';

/** Corners of one stretch of a path, x and y in turn. */
export interface Stretch {
  readonly points: number[];
  isClosed: boolean;
}

/** From the units of a drawing to pixels. */
export interface Place {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** The `d` of a path as our charts write them: straight lines, and half circles. */
export function readPath(d: string, place: Place): readonly Stretch[] {
  return new PathReader(d, place).read();
}

class PathReader {
  readonly #d: string;
  readonly #place: Place;
  readonly #stretches: Stretch[] = [];
  #current: Stretch | undefined;
  #at = 0;
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;

  constructor(d: string, place: Place) {
    this.#d = d;
    this.#place = place;
  }

  read(): readonly Stretch[] {
    while (this.#at < this.#d.length) this.#command(this.#d.charAt(this.#at++));
    return this.#stretches;
  }

  #command(command: string): void {
    switch (command) {
      case 'M':
        this.#begin(this.#number(), this.#number());
        break;
      case 'm':
        this.#begin(this.#x + this.#number(), this.#y + this.#number());
        break;
      case 'L':
        this.#line(this.#number(), this.#number());
        break;
      case 'l':
        this.#line(this.#x + this.#number(), this.#y + this.#number());
        break;
      case 'H':
        this.#line(this.#number(), this.#y);
        break;
      case 'h':
        this.#line(this.#x + this.#number(), this.#y);
        break;
      case 'V':
        this.#line(this.#x, this.#number());
        break;
      case 'v':
        this.#line(this.#x, this.#y + this.#number());
        break;
      case 'a':
        this.#halfCircle();
        break;
      case 'z':
        this.#close();
        break;
      default:
        throw new NotOurs(`a path with ${command}`);
    }
  }

  #begin(x: number, y: number): void {
    this.#current = undefined;
    this.#x = this.#startX = x;
    this.#y = this.#startY = y;
  }

  #line(x: number, y: number): void {
    if (!this.#current) {
      // Every path begins with a place: before that there is nothing to draw from.
      if (this.#stretches.length === 0 && this.#d[0] !== 'M') throw new NotOurs('a path from nowhere');
      this.#current = { points: [], isClosed: false };
      this.#stretches.push(this.#current);
      this.#add(this.#x, this.#y);
    }
    this.#x = x;
    this.#y = y;
    this.#add(x, y);
  }

  #add(x: number, y: number): void {
    const { scale, left, top } = this.#place;
    this.#current?.points.push(x * scale + left, y * scale + top);
  }

  /** `a r r 0 1 0 2r 0`: half of a mark. */
  #halfCircle(): void {
    const [rx, ry, turn, isLarge, sweep, dx, dy] = Array.from({ length: 7 }, () => this.#number());
    const radius = rx ?? 0;
    const isHalf = ry === radius && Math.abs(Math.abs(dx ?? 0) - 2 * radius) < 1e-9 && dy === 0;
    if (!isHalf || turn !== 0 || isLarge !== 1 || sweep !== 0)
      throw new NotOurs('an arc that is no half circle');
    const [centreX, centreY] = [this.#x + (dx ?? 0) / 2, this.#y];
    const side = Math.sign(dx ?? 0);
    // An eighth of a pixel and less between the circle and its corners cannot be seen.
    const corners = Math.max(4, Math.ceil(4 * Math.sqrt(radius * this.#place.scale)));
    for (let corner = 1; corner < corners; corner++) {
      const angle = (Math.PI * corner) / corners;
      this.#line(centreX - side * radius * Math.cos(angle), centreY + side * radius * Math.sin(angle));
    }
    this.#line(centreX + (dx ?? 0) / 2, centreY);
  }

  #close(): void {
    if (this.#current) this.#current.isClosed = true;
    this.#begin(this.#startX, this.#startY);
  }

  /** Digits with a point among them, as String() writes them; what it writes with an exponent is not in a chart. */
  #number(): number {
    const d = this.#d;
    let at = this.#at;
    let code = d.charCodeAt(at);
    if (code === SPACE) code = d.charCodeAt(++at);
    const isNegative = code === MINUS;
    if (isNegative) code = d.charCodeAt(++at);
    const start = at;
    let value = 0;
    for (; code >= ZERO && code <= NINE; code = d.charCodeAt(++at)) value = value * 10 + code - ZERO;
    if (at === start || at - start > 15) throw new NotOurs('a path with another number');
    if (code === POINT) {
      const from = ++at;
      code = d.charCodeAt(at);
      let unit = 0.1;
      for (; code >= ZERO && code <= NINE; code = d.charCodeAt(++at), unit /= 10)
        value += (code - ZERO) * unit;
      if (at === from) throw new NotOurs('a path with another number');
    }
    this.#at = at;
    return isNegative ? -value : value;
  }
}

const [SPACE, MINUS, POINT, ZERO, NINE] = [32, 45, 46, 48, 57];
