/** Bytes at the beginning that belong to a character before the cut: at most three. */
export function brokenStart(bytes: Uint8Array): number {
  let count = 0;
  while (count < Math.min(3, bytes.length) && isContinuation(bytes[count])) count++;
  // A character has at most three of them: more of them are not UTF-8, and are kept as they are.
  return count === 3 && isContinuation(bytes[3]) ? 0 : count;
}

/** Bytes at the end that begin a character which is not whole: at most three. */
export function brokenEnd(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] as number; // inside by the loop
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > count ? count : 0;
  }
  return 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Of the character that a byte begins; 1 for what begins none. */
function lengthOf(byte: number): number {
  if (byte >= 0xf0 && byte <= 0xf4) return 4;
  if (byte >= 0xe0) return byte < 0xf0 ? 3 : 1;
  return byte >= 0xc2 ? 2 : 1;
}
