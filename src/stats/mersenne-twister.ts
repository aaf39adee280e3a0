/** Random numbers of CPython's `random` module: the same seed gives the same orders as the original's plans. */
export interface PythonRandom {
  /** A whole number of so many random bits; at most 53, more would not be exact. */
  getRandBits(bits: number): number;
  /** A whole number from 0 to below `limit`. */
  randBelow(limit: number): number;
  choice<T>(items: readonly [T, ...T[]]): T;
  /** The items in a random order; the given list stays as it is. */
  shuffle<T>(items: readonly T[]): readonly T[];
}

/** Seeded as `random.seed(n)` does it with a whole number of any size; its sign does not count. */
export function pythonRandom(seed: number | bigint): PythonRandom {
  const nextWord = mersenneTwister(wordsOf(BigInt(seed)));
  const getRandBits = (bits: number): number => {
    if (bits <= 32) return nextWord() >>> (32 - bits);
    const low = nextWord();
    return low + (nextWord() >>> (64 - bits)) * 2 ** 32;
  };
  // Draws that are too large are discarded, so that no number is likelier: one of two takes two bits, not one.
  const randBelow = (limit: number): number => {
    const bits = limit.toString(2).length;
    let drawn = getRandBits(bits);
    while (drawn >= limit) drawn = getRandBits(bits);
    return drawn;
  };
  return {
    getRandBits,
    randBelow,
    choice: <T>(items: readonly [T, ...T[]]) => items[randBelow(items.length)] as T, // below the length
    shuffle: (items) => shuffled(items, randBelow),
  };
}

function shuffled<T>(items: readonly T[], randBelow: (limit: number) => number): readonly T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = randBelow(last + 1);
    const [a, b] = [result[last] as T, result[other] as T]; // both indices are below the length
    result[last] = b;
    result[other] = a;
  }
  return result;
}

/** The number without its sign in words of 32 bits, the lowest first. */
function wordsOf(seed: bigint): Uint32Array {
  const words: number[] = [];
  for (let rest = seed < 0n ? -seed : seed; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
  return Uint32Array.from(words.length === 0 ? [0] : words);
}

// Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998): the constants of MT19937.
const SIZE = 624;
const MIDDLE = 397;

function mersenneTwister(key: Uint32Array): () => number {
  const state = seededState(key);
  let next = SIZE;
  return () => {
    if (next === SIZE) {
      twist(state);
      next = 0;
    }
    let word = state[next++] as number; // below SIZE
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  };
}

/** `init_by_array` of the authors' reference of 2002: every word of the key reaches every word of the state. */
function seededState(key: Uint32Array): Uint32Array {
  const state = new Uint32Array(SIZE);
  const mixed = (index: number, factor: number) => {
    const before = state[index - 1] as number; // callers keep the index from 1 to below SIZE
    return Math.imul(before ^ (before >>> 30), factor);
  };
  state[0] = 19650218;
  for (let i = 1; i < SIZE; i++) state[i] = mixed(i, 1812433253) + i;

  let at = 1;
  const step = () => {
    at++;
    if (at < SIZE) return;
    state[0] = state[SIZE - 1] as number;
    at = 1;
  };
  for (let round = 0; round < Math.max(SIZE, key.length); round++) {
    const j = round % key.length;
    state[at] = ((state[at] as number) ^ mixed(at, 1664525)) + (key[j] as number) + j;
    step();
  }
  for (let round = 1; round < SIZE; round++) {
    state[at] = ((state[at] as number) ^ mixed(at, 1566083941)) - at;
    step();
  }
  state[0] = 0x80000000;
  return state;
}

function twist(state: Uint32Array): void {
  for (let i = 0; i < SIZE; i++) {
    const joined = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % SIZE] as number) & 0x7fffffff);
    const far = state[(i + MIDDLE) % SIZE] as number;
    state[i] = far ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
  }
}
