/** Text of UTF-8 bytes; what is no UTF-8 is read byte by byte. */
export function decodeUtf8(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  let isAscii = true;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte > 127) isAscii = false;
    text += String.fromCharCode(byte);
  }
  if (isAscii) return text;
  try {
    return decodeURIComponent(text.replace(/[%\u0080-\u00ff]/g, (character) => `%${hex(character)}`));
  } catch {
    return text;
  }
}

const ZERO = 48;
const POINT = 46;
/** Fewer digits than this always fit a double. */
const MAX_DIGITS = 15;

/**
 * The whole number that the bytes spell, NaN when it is another number or none. "250.0" counts as whole: pandas writes
 * columns with gaps like that.
 */
export function wholeNumber(bytes: Uint8Array, from: number, to: number): number {
  if (to === from) return Number.NaN;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return at > from && isZeroFraction(bytes, at, to) ? value : Number.NaN;
    if (at - from >= MAX_DIGITS) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function isZeroFraction(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] !== POINT) return false;
  for (let at = from + 1; at < to; at++) if (bytes[at] !== ZERO) return false;
  return true;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}
