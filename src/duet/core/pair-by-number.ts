import { growingPairs, type Pairs } from './pairs.ts';

/** Pairs of iterations of the same number; of numbers that occur more than once, the first with the first and so on. */
export function pairByNumber(a: Int32Array, b: Int32Array): Pairs {
  const found = growingPairs(Math.min(a.length, b.length));
  const orderA = orderByNumber(a);
  const orderB = orderByNumber(b);
  let nextA = 0;
  let nextB = 0;
  while (nextA < a.length && nextB < b.length) {
    const i = orderA[nextA] as number; // both are below their lengths
    const j = orderB[nextB] as number;
    const ahead = (a[i] as number) - (b[j] as number);
    if (ahead === 0) found.add(i, j, 1);
    if (ahead <= 0) nextA++;
    if (ahead >= 0) nextB++;
  }
  return { ...found.pairs(), by: 'number', weak: 0 };
}

function orderByNumber(numbers: Int32Array): Int32Array {
  const order = Int32Array.from(numbers, (_, position) => position);
  const isSorted = numbers.every((number, i) => i === 0 || (numbers[i - 1] as number) <= number);
  return isSorted ? order : order.sort((i, j) => (numbers[i] as number) - (numbers[j] as number) || i - j);
}
