const SIGN = ' [...]';

/**
 * Words on one line, as many as fit with the sign that some were left out: what Python's textwrap.shorten gives. It may
 * also part "some-words" after the hyphen. A single word that is too long is cut inside, where Python leaves nothing of it.
 */
export function shorten(text: string, longest: number): string {
  const line = text.split(/\s+/u).filter(Boolean).join(' ');
  if (sizeOf(line) <= longest) return line;
  const room = longest - SIGN.length;
  let kept = '';
  for (const piece of line.split(BREAKS)) {
    if (sizeOf(kept + piece) > room) break;
    kept += piece;
  }
  const words = kept.trimEnd();
  return `${words === '' ? [...line].slice(0, room).join('') : words}${SIGN}`;
}

/** Before blanks, and after the hyphen between two words. */
const BREAKS = /(?= )|(?<=[\p{L}]-)(?=[\p{L}]{2})/u;

/** Python counts characters, not UTF-16 units. */
function sizeOf(text: string): number {
  return [...text].length;
}
