/**
 * A decimal number with `digits` more places, as a whole number: "1654092292.28303" seconds with 9 are nanoseconds, none
 * lost. What is finer is rounded. Undefined when it is no number.
 */
export function decimalNs(text: string, digits: number): bigint | undefined {
  const trimmed = text.trim();
  const found = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(trimmed);
  if (!found) return fromDouble(trimmed, digits);
  const [, sign, whole = '', fraction = ''] = found;
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const rounded = (fraction[digits] ?? '0') >= '5' ? kept + 1n : kept;
  return sign === '-' ? -rounded : rounded;
}

/** 1.794769700745e+18 was a double when it was written. */
function fromDouble(text: string, digits: number): bigint | undefined {
  if (!/^[+-]?[\d.]+e[+-]?\d+$/i.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value)
    ? BigInt(value) * 10n ** BigInt(digits)
    : BigInt(Math.round(value * 10 ** digits));
}
