import { decimalNs } from '../../formats/core/decimal-ns.ts';
import { wholeNumber } from '../../platform/core/text/csv-scanner.ts';
import { decodeUtf8 } from '../../platform/core/text/utf8.ts';

/** Nanoseconds since 1970 in two parts that are exact in doubles; they need not be normalised. */
export interface Moment {
  seconds: number;
  nanos: number;
}

const NANO_DIGITS = 9;
const BILLION = 1_000_000_000n;
const POINT = 46;

/** Reads a moment into `moment`; false when the bytes are none. Digits are read as they stand, without a BigInt. */
export function readMoment(bytes: Uint8Array, from: number, to: number, moment: Moment): boolean {
  const split = to - NANO_DIGITS;
  const isLong = split > from;
  const seconds = isLong ? wholeNumber(bytes, from, split) : 0;
  const nanos = wholeNumber(bytes, isLong ? split : from, to);
  // A point in the second part would be "whole" too, but of other digits.
  const isPlain = !Number.isNaN(seconds) && !Number.isNaN(nanos) && !hasPoint(bytes, from, to);
  if (!isPlain) return readOther(decodeUtf8(bytes, from, to), moment);
  moment.seconds = seconds;
  moment.nanos = nanos;
  return true;
}

/** 1.794769700745e+18: pandas had a double, so the double is what was meant. */
function readOther(text: string, moment: Moment): boolean {
  if (/^\d\.\d+e\+1\d$/.test(text)) {
    const value = Number(text);
    // Both exact: seconds below 2^32 times 5^9 fit 53 bits, the rest are powers of two.
    moment.seconds = Math.floor(value / 1e9);
    moment.nanos = value - moment.seconds * 1e9;
    return true;
  }
  const exact = decimalNs(text, 0);
  if (exact === undefined) return false;
  moment.seconds = Number(exact / BILLION);
  moment.nanos = Number(exact % BILLION);
  return true;
}

function hasPoint(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === POINT) return true;
  return false;
}
