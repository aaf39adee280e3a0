const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;
const LEAST_INTEGER = -(2n ** 63n);
const MOST_INTEGER = 2n ** 63n - 1n;
const MOST_UNSIGNED = 2n ** 64n - 1n;

/** The value of a text such as "nan" or "-inf"; undefined for others. */
export function notFinite(text: string): number | undefined {
  if (!NOT_FINITE.test(text)) return undefined;
  if (/nan/i.test(text)) return Number.NaN;
  return text.startsWith('-') ? -Infinity : Infinity;
}

/** What InfluxDB says against a number; undefined when it is one. */
export function checkNumber(text: string): string | undefined {
  if (/^-?\d+i$/.test(text)) return checkWhole(text.slice(0, -1), 'integer');
  if (/^-?\d+u$/.test(text)) return checkWhole(text.slice(0, -1), 'unsigned');
  if (/^-?(?:\d+\.?\d*|\.\d+)$/.test(text)) {
    return Number.isFinite(Number(text)) ? undefined : 'invalid float';
  }
  // Characters that may stand in a number with an exponent, though not in this order.
  if (!/^-?[\d.][\d.eE]*(?:[eE][+-]?[\d.]*)+$/.test(text) || /\..*\./.test(text)) return 'invalid number';
  const isOne = /^-?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+$/.test(text);
  return isOne && Number.isFinite(Number(text)) ? undefined : 'invalid float';
}

function checkWhole(digits: string, kind: 'integer' | 'unsigned'): string | undefined {
  const value = BigInt(digits);
  const reader = kind === 'integer' ? 'ParseInt' : 'ParseUint';
  const wrong = (why: string) =>
    `unable to parse ${kind} ${digits}: strconv.${reader}: parsing "${digits}": ${why}`;
  if (kind === 'unsigned' && digits.startsWith('-')) return wrong('invalid syntax');
  const isWithin =
    kind === 'integer' ? value >= LEAST_INTEGER && value <= MOST_INTEGER : value <= MOST_UNSIGNED;
  return isWithin ? undefined : wrong('value out of range');
}
