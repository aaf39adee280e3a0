import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/**
 * Values of 64 bits as what differs from the one before (after Gorilla, Pelkonen et al. 2015), in groups of 128: bytes
 * that differ nowhere in a group are left out. Words are little-endian, as on every machine that Node runs on but one.
 */
export function writeWords(out: ByteWriter, words: Uint8Array): void {
  const count = words.length / 8;
  for (let from = 0; from < count; from += GROUP) {
    const to = Math.min(from + GROUP, count);
    const [low, high] = usedBytes(words, from, to);
    out.byte((low << 4) | high);
    const size = high - low;
    const bytes = out.claim(size * (to - from));
    let at = 0;
    for (let i = from; i < to; i++) {
      for (let k = i * 8 + low; k < i * 8 + high; k++)
        bytes[at++] = (words[k] as number) ^ (k < 8 ? 0 : (words[k - 8] as number));
    }
  }
}

export function readWords(input: ByteReader, count: number): Uint8Array {
  const words = new Uint8Array(count * 8);
  for (let from = 0; from < count; from += GROUP) {
    const to = Math.min(from + GROUP, count);
    const used = input.byte();
    const [low, high] = [used >> 4, used & 15];
    const bytes = input.take(Math.max(0, high - low) * (to - from));
    let at = 0;
    for (let i = from; i < to; i++) {
      const start = i * 8;
      if (i > 0) words.copyWithin(start, start - 8, start);
      for (let k = start + low; k < start + high; k++)
        words[k] = (words[k] as number) ^ (bytes[at++] as number);
    }
  }
  return words;
}

/** The eight bytes of each value, in a view of the same memory. */
export function wordsOf(values: Float64Array | BigInt64Array | BigUint64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

const GROUP = 128;

/** From which byte on to before which byte anything in the group differs from what came before it. */
function usedBytes(words: Uint8Array, from: number, to: number): readonly [low: number, high: number] {
  const differs = new Uint8Array(8);
  for (let k = from * 8; k < to * 8; k++) {
    differs[k & 7] =
      (differs[k & 7] as number) | ((words[k] as number) ^ (k < 8 ? 0 : (words[k - 8] as number)));
  }
  let [low, high] = [0, 8];
  while (low < 8 && differs[low] === 0) low++;
  while (high > low && differs[high - 1] === 0) high--;
  return [low, high];
}
