import { DOT, LOWER_CASE, MINUS, NINE, PLUS, ZERO } from './line-scratch.ts';

/** Powers of ten that a double holds exactly. */
const TENS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
/** This many digits are exact in a double, and so is their product with a power of ten as the sum of two. */
const EXACT_DIGITS = 15;
const MORE_DIGITS = 4;
const LETTER_E = 101;
/** 2^27 + 1 splits a double into two halves whose products are exact (Dekker 1971). */
const SPLITTER = 134_217_729;
/** More than all rounding of `divide` together, as a part of the quotient. */
const ERROR_BOUND = 2 ** -98;

/**
 * The double nearest to digits with a dot or an exponent: NaN when that cannot be decided here, or it is not a number.
 * Digits and a power of ten that are exact give it with one operation (Clinger 1990); with up to 19 digits the quotient
 * is computed to twice the precision, and used only where its error cannot change how it is rounded.
 */
export function decimalToDouble(bytes: Uint8Array, from: number, end: number): number {
  let [high, low, extra, significant, digits, after, dot] = [0, 0, 0, 0, 0, 0, 0];
  let at = from;
  for (; at < end; at++) {
    const code = bytes[at] as number;
    if (code === DOT && dot === 0) dot = 1;
    else if (code >= ZERO && code <= NINE) {
      digits++;
      after += dot;
      if (code === ZERO && significant === 0) continue;
      if (significant++ < EXACT_DIGITS) high = 10 * high + (code - ZERO);
      else if (extra++ < MORE_DIGITS) low = 10 * low + (code - ZERO);
      else return Number.NaN;
    } else break;
  }
  const power = exponent(bytes, at, end) - after;
  if (digits === 0 || !(Math.abs(power) <= 22)) return Number.NaN;
  if (extra > 0) return power <= 0 ? divide(high, [low, extra], TENS[-power] as number) : Number.NaN;
  return power < 0 ? high / (TENS[-power] as number) : high * (TENS[power] as number);
}

/** 0 when there is none, NaN when it is invalid. */
function exponent(bytes: Uint8Array, from: number, end: number): number {
  if (from === end) return 0;
  if (((bytes[from] as number) | LOWER_CASE) !== LETTER_E) return Number.NaN;
  const sign = bytes[from + 1];
  let at = sign === MINUS || sign === PLUS ? from + 2 : from + 1;
  if (at === end || end - at > 3) return Number.NaN;
  let size = 0;
  for (; at < end; at++) {
    const code = bytes[at] as number;
    if (code < ZERO || code > NINE) return Number.NaN;
    size = 10 * size + (code - ZERO);
  }
  return sign === MINUS ? -size : size;
}

/** (high * 10^extra + low) / tens. */
function divide(high: number, [low, extra]: readonly [number, number], tens: number): number {
  const scale = TENS[extra] as number;
  const product = high * scale;
  const whole = product + low;
  // What the two sums above lost; `low` is the smaller one.
  const lost = low - (whole - product) + productError(high, scale, product);
  const quotient = whole / tens;
  const back = quotient * tens;
  const rest = (whole - back - productError(quotient, tens, back) + lost) / tens;
  const doubt = quotient * ERROR_BOUND;
  const result = quotient + (rest + doubt);
  return result === quotient + (rest - doubt) ? result : Number.NaN;
}

/** a * b - product, exactly. */
function productError(a: number, b: number, product: number): number {
  const bigA = SPLITTER * a;
  const bigB = SPLITTER * b;
  const highA = bigA - (bigA - a);
  const highB = bigB - (bigB - b);
  const [lowA, lowB] = [a - highA, b - highB];
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}
