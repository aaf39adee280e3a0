const LF = 10;
const QUOTE = 34;

/** Where the last whole row of the bytes ends: behind a line end that is not inside of quotes. 0 when there is none. */
export function endOfRows(bytes: Uint8Array): number {
  let isQuoted = false;
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) isQuoted = !isQuoted;
    else if (bytes[at] === LF && !isQuoted) end = at + 1;
  }
  return end;
}
