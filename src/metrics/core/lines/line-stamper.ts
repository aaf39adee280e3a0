import type { Written } from '../points/point-reader.ts';
import type { Timestamp } from '../points/points.ts';
import { exactLine, lineEnd } from './exact-line.ts';
import { fastLine } from './fast-line.ts';
import { BACKSLASH, grown, LineScratch, NEWLINE, SPACE, ZERO } from './line-scratch.ts';
import { RefusedLines } from './refused-lines.ts';

export interface StamperOptions {
  readonly keepsNotFinite: boolean;
  /** One bad line refuses all of its packet. */
  readonly isStrict: boolean;
}

/** A space, 13 digits of milliseconds, 6 of nanoseconds, a newline. */
const STAMP_BYTES = 21;
const MS_DIGITS = 13;
const NS_DIGITS = 6;

/**
 * Makes the lines of packets fit to be stored together: each gets a timestamp and a newline, and a broken one cannot
 * swallow the next. Its buffers are reused: a packet without refusals allocates nothing.
 */
export class LineStamper {
  readonly #isStrict: boolean;
  readonly #line: LineScratch;
  #out = new Uint8Array(64 * 1024);
  #used = 0;

  constructor({ keepsNotFinite, isStrict }: StamperOptions) {
    this.#isStrict = isStrict;
    this.#line = new LineScratch('n', keepsNotFinite);
  }

  /** Bytes in the buffer. */
  get length(): number {
    return this.#used;
  }

  /** Adds the lines of a packet; returns what was refused, if anything. */
  take(bytes: Uint8Array, at: Timestamp): Written | undefined {
    const before = this.#used;
    let refusals: RefusedLines | undefined;
    this.#line.reset();
    for (let next = 0; next < bytes.length; ) {
      const start = next;
      next = this.#isStrict ? -1 : fastLine(bytes, start, this.#line);
      if (next >= 0) {
        this.#append(bytes, [start, Math.min(next - 1, bytes.length)], at);
        continue;
      }
      const end = lineEnd(bytes, start);
      next = end + 1;
      const kind = exactLine(bytes, [start, end], this.#line);
      if (kind === 'nothing') continue;
      if (kind === 'point' && !this.#isOpen(bytes))
        this.#append(bytes, [this.#line.start, this.#line.end], at);
      else {
        refusals ??= new RefusedLines();
        refusals.add(bytes, this.#line);
      }
    }
    if (refusals === undefined) return undefined;
    if (this.#isStrict) this.#used = before;
    const refused = refusals.summary();
    return { ...refused, lines: refused.refusedLines, values: 0 };
  }

  /** A copy of the lines; the buffer is empty afterwards. */
  flush(): Uint8Array {
    const lines = this.#out.slice(0, this.#used);
    this.#used = 0;
    return lines;
  }

  /** A timestamp after a backslash would become part of the value. */
  #isOpen(bytes: Uint8Array): boolean {
    if (this.#line.hasTime || bytes[this.#line.end - 1] !== BACKSLASH) return false;
    return this.#line.refuse('syntax', 'invalid field format') < 0;
  }

  #append(bytes: Uint8Array, [start, end]: readonly [number, number], { ms, ns }: Timestamp): void {
    const room = this.#used + (end - start) + STAMP_BYTES;
    if (room > this.#out.length)
      this.#out = grown(this.#out, new Uint8Array(Math.max(2 * this.#out.length, room)));
    const out = this.#out;
    let at = this.#used;
    for (let from = start; from < end; from++) out[at++] = bytes[from] as number;
    if (!this.#line.hasTime) {
      out[at++] = SPACE;
      digits(out, at + MS_DIGITS, ms);
      digits(out, at + MS_DIGITS + NS_DIGITS, ns, NS_DIGITS);
      at += MS_DIGITS + NS_DIGITS;
    }
    out[at++] = NEWLINE;
    this.#used = at;
  }
}

/** Writes an integer that ends before `end`, with leading zeros. */
function digits(out: Uint8Array, end: number, value: number, count = MS_DIGITS): void {
  let rest = value;
  for (let at = end - 1; at >= end - count; at--) {
    const tens = Math.floor(rest / 10);
    out[at] = ZERO + rest - 10 * tens;
    rest = tens;
  }
}
