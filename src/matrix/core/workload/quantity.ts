/** A Kubernetes quantity as a number: "100m" is 0.1, "512Mi" 536870912, "1e3" 1000; undefined when it is none. */
export function parseQuantity(text: string): number | undefined {
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(m|u|n|k|[KMGTPE]i|[MGTPE])?$/.exec(text.trim());
  if (!found) return undefined;
  const [, digits = '', suffix = ''] = found;
  const divisor = DIVISORS[suffix];
  return divisor === undefined ? Number(digits) * (FACTORS[suffix] ?? 1) : Number(digits) / divisor;
}

/** Dividing by a whole number rounds once; multiplying with 0.001 would round twice. */
const DIVISORS: Readonly<Record<string, number>> = { m: 1e3, u: 1e6, n: 1e9 };
const LETTERS = ['K', 'M', 'G', 'T', 'P', 'E'];
const FACTORS: Readonly<Record<string, number>> = Object.fromEntries(
  LETTERS.flatMap((letter, index) => [
    [index === 0 ? 'k' : letter, 1000 ** (index + 1)],
    [`${letter}i`, 1024 ** (index + 1)],
  ]),
);
