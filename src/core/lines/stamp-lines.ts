import type { Moment } from '../model/points.ts';
import type { Written } from '../ports/point-reader.ts';
import { BACKSLASH, NEWLINE, SPACE } from './bytes.ts';
import { exactLine, lineEnd } from './exact-line.ts';
import { LineScratch } from './line-scratch.ts';
import { quickLine } from './quick-line.ts';
import { Refusals } from './refusals.ts';

export interface StampOptions {
  /** For lines without a time. */
  readonly at: Moment;
  readonly keepsNotFinite: boolean;
  /** One bad line refuses them all. */
  readonly isStrict: boolean;
}

/** What became of the lines of one packet; those that were taken are in `bytes`. */
export interface StampedLines extends Written {
  readonly bytes: Uint8Array;
}

/** " " and 19 digits and a newline. */
const STAMP_BYTES = 21;

/**
 * Makes the lines of a packet fit to be stored together with those of others: each has a time and an end, and one that
 * is broken cannot swallow what comes after it.
 */
export function stampLines(bytes: Uint8Array, { at, keepsNotFinite, isStrict }: StampOptions): StampedLines {
  const line = new LineScratch('n', keepsNotFinite);
  const stamp = stampText(at);
  const refusals = new Refusals();
  let out = new Uint8Array(bytes.length + STAMP_BYTES);
  let used = 0;
  let taken = 0;
  for (let next = 0; next < bytes.length; ) {
    const start = next;
    next = isStrict ? -1 : quickLine(bytes, start, line);
    let end = next > bytes.length ? bytes.length : next - 1;
    if (next < 0) {
      end = lineEnd(bytes, start);
      next = end + 1;
      const kind = exactLine(bytes, [start, end], line);
      if (kind === 'nothing') continue;
      // A stamp after a backslash would become part of the value.
      const isOpen = kind === 'point' && !line.hasTime && bytes[line.end - 1] === BACKSLASH;
      if (isOpen) line.refuse('syntax', 'invalid field format');
      if (kind === 'refused' || isOpen) {
        refusals.add(bytes, line);
        continue;
      }
      end = line.end;
    }
    const room = used + (end - start) + STAMP_BYTES;
    if (room > out.length) out = enlarged(out, Math.max(2 * out.length, room));
    out.set(bytes.subarray(start, end), used);
    used += end - start;
    if (!line.hasTime) for (const code of stamp) out[used++] = code;
    out[used++] = NEWLINE;
    taken++;
  }
  const told = refusals.told();
  const isRefused = isStrict && told.refusedLines > 0;
  return {
    ...told,
    lines: told.refusedLines,
    values: 0,
    bytes: out.subarray(0, isRefused || taken === 0 ? 0 : used),
  };
}

function stampText({ ms, ns }: Moment): readonly number[] {
  const digits = BigInt(ms) * 1_000_000n + BigInt(ns);
  return [SPACE, ...Array.from(String(digits), (digit) => digit.charCodeAt(0))];
}

function enlarged(old: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(old);
  return larger;
}
