import { utf8 } from './utf8.ts';

/**
 * SHA-256 (FIPS 180-4) of a text in UTF-8, in hexadecimal. Core has no crypto of node, and what is named by content
 * must have the same name on every machine.
 */
export function sha256(text: string): string {
  const state = Uint32Array.from(INITIAL);
  const words = padded(utf8(text));
  const schedule = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    schedule.set(words.subarray(block, block + 16));
    mix(state, schedule);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

const PRIMES = firstPrimes(64);
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let next = 2; primes.length < count; next++) {
    if (primes.every((prime) => next % prime !== 0)) primes.push(next);
  }
  return primes;
}

/** The first 32 bits behind the point. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32);
}

/** Whole blocks of 16 words: the bytes, one bit, zeros, and the length in bits. */
function padded(bytes: readonly number[]): Uint32Array {
  const words = new Uint32Array(((bytes.length + 8) >> 6) * 16 + 16);
  for (let at = 0; at <= bytes.length; at++) {
    const byte = at < bytes.length ? (bytes[at] as number) : 0x80; // at < length
    words[at >> 2] = (words[at >> 2] as number) | (byte << (24 - 8 * (at & 3)));
  }
  words[words.length - 2] = Math.floor(bytes.length / 2 ** 29);
  words[words.length - 1] = bytes.length << 3;
  return words;
}

function mix(state: Uint32Array, w: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const [early, late] = [w[i - 15] as number, w[i - 2] as number]; // i >= 16
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] as number) + (w[i] as number)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + value;
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
