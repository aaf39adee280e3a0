/** Text of UTF-8 bytes; what is not UTF-8 is read byte by byte. */
export function decodeUtf8(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  let isAscii = true;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte > 127) isAscii = false;
    text += String.fromCharCode(byte);
  }
  if (isAscii) return text;
  try {
    return decodeURIComponent(text.replace(/[%\u0080-\u00ff]/g, (character) => `%${hex(character)}`));
  } catch {
    return text;
  }
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

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
    return characterLength(byte) > count ? count : 0;
  }
  return 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Of the character that a byte begins; 1 for what begins none. */
function characterLength(byte: number): number {
  if (byte >= 0xf0 && byte <= 0xf4) return 4;
  if (byte >= 0xe0) return byte < 0xf0 ? 3 : 1;
  return byte >= 0xc2 ? 2 : 1;
}

/** UTF-8 bytes of a text; half of a surrogate pair becomes U+FFFD. Core has no TextEncoder. */
export function utf8(text: string): readonly number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else
      bytes.push(
        0xf0 | (code >> 18),
        0x80 | ((code >> 12) & 63),
        0x80 | ((code >> 6) & 63),
        0x80 | (code & 63),
      );
  }
  return bytes;
}
