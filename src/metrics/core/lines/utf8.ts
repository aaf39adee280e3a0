const PIECE = 4096;

/** Text of UTF-8 bytes; what is none becomes U+FFFD, as everywhere. Core has no decoder of the platform. */
export function utf8Text(bytes: Uint8Array, start: number, end: number): string {
  let at = start;
  while (at < end && (bytes[at] as number) < 0x80) at++;
  const text = unitsText(bytes, start, at);
  return at === end ? text : text + decode(bytes, at, end);
}

function unitsText(units: Uint8Array | Uint16Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += PIECE) {
    const piece = units.subarray(at, Math.min(end, at + PIECE)) as unknown as number[];
    text += String.fromCharCode.apply(undefined, piece);
  }
  return text;
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  const units = new Uint16Array(end - start);
  let count = 0;
  for (let at = start; at < end; ) {
    const first = bytes[at] as number;
    const length = lengthAt(bytes, at, end);
    if (length === 4) {
      const code =
        (((first & 7) << 18) |
          (rest(bytes, at + 1) << 12) |
          (rest(bytes, at + 2) << 6) |
          rest(bytes, at + 3)) -
        0x10000;
      units[count++] = 0xd800 | (code >> 10);
      units[count++] = 0xdc00 | (code & 0x3ff);
    } else if (length === 3) {
      units[count++] = ((first & 15) << 12) | (rest(bytes, at + 1) << 6) | rest(bytes, at + 2);
    } else if (length === 2) units[count++] = ((first & 31) << 6) | rest(bytes, at + 1);
    else units[count++] = length === 1 ? first : 0xfffd;
    at += Math.max(1, length);
  }
  return unitsText(units, 0, count);
}

function rest(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) & 63;
}

/** Bytes of the character here; 0 when it is none (too long, cut off, a surrogate, beyond Unicode). */
function lengthAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > end) return 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] as number;
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  return first === 0xf4 && second > 0x8f ? 0 : length;
}
