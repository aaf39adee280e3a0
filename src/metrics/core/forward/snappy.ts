/** Fits the two bytes of length of a literal. */
const PIECE = 65_536;

/**
 * The block format of snappy, which remote write asks for, with literals only: the format allows it, and a batch is small.
 * https://github.com/google/snappy/blob/main/format_description.txt
 */
export function snappyBlock(bytes: Uint8Array): Uint8Array {
  const head: number[] = [];
  let rest = bytes.length;
  for (; rest > 127; rest = Math.floor(rest / 128)) head.push((rest % 128) | 128);
  head.push(rest);
  const pieces = Math.ceil(bytes.length / PIECE);
  const result = new Uint8Array(head.length + 3 * pieces + bytes.length);
  result.set(head);
  let at = head.length;
  for (let from = 0; from < bytes.length; from += PIECE) {
    const piece = bytes.subarray(from, from + PIECE);
    // 61 << 2: a literal whose length less one is in the two bytes that follow.
    result.set([61 << 2, (piece.length - 1) & 255, (piece.length - 1) >> 8], at);
    result.set(piece, at + 3);
    at += 3 + piece.length;
  }
  return result;
}
