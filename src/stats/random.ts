/**
 * Random numbers from a seed, the same on every machine: splitmix32 (a Weyl sequence through a 32-bit finaliser)
 * uses integer arithmetic only, so no rounding can differ. Good enough for orders and resampling, not for secrets.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
}

/** The items in a random order (Fisher-Yates); the given list stays as it is. */
export function shuffle<T>(items: readonly T[], random: () => number): readonly T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [result[last] as T, result[other] as T]; // both indices are below the length
    result[last] = b;
    result[other] = a;
  }
  return result;
}
