/** Decimals as Python's "{:.2f}" writes them: rounded from the exact value of the double, ties to the even digit. */
export function pythonFixed(value: number, decimals: number): string {
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return signed(value, 'inf');
  // From 2^53 on a double is whole, and toFixed gives up at 1e21.
  if (size >= 2 ** 53) {
    return signed(value, decimals === 0 ? wholeDigits(size) : `${wholeDigits(size)}.${'0'.repeat(decimals)}`);
  }
  const digits = size.toFixed(decimals);
  return signed(value, isTie(size, decimals) ? toEven(digits) : digits);
}

/** Digits and exponent as Python's "{:.2e}" writes them: "1.23e+04". */
export function pythonExponential(value: number, decimals: number): string {
  const size = Math.abs(value);
  const [digits = '', exponent = ''] = size.toExponential(decimals).split('e');
  const magnitude = Number(size.toExponential().split('e')[1]);
  // A tie that was carried to the next power of ten is even: 9.5 is 10, not 9.
  const isOdd = Number(exponent) === magnitude && isTie(size, decimals - magnitude);
  const rounded = isOdd ? toEven(digits) : digits;
  return signed(value, `${rounded}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`);
}

/**
 * Whether the value lies in the middle of two numbers with that many decimals. A double is a whole number of powers of two:
 * its last decimal is the 5 of a tie exactly when one power of two below `decimals` is its lowest.
 */
function isTie(size: number, decimals: number): boolean {
  if (decimals >= 0) return Math.abs((size * 2 ** (decimals + 1)) % 2) === 1;
  if (!Number.isInteger(size)) return false;
  const unit = 10n ** BigInt(-decimals);
  return (BigInt(size) % unit) * 2n === unit;
}

/** JavaScript rounds a tie up: an odd last digit is one too many. It is never 0, so nothing is borrowed. */
function toEven(digits: string): string {
  const last = Number(digits.slice(-1));
  return last % 2 === 0 ? digits : `${digits.slice(0, -1)}${last - 1}`;
}

function wholeDigits(size: number): string {
  return BigInt(size).toString();
}

function signed(value: number, digits: string): string {
  return value < 0 || Object.is(value, -0) ? `-${digits}` : digits;
}
