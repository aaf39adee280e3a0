/** More tell little more. */
const MOST_TEXTS = 3;

/**
 * Texts that everything holds which a pattern finds: its longest pieces without signs, the longest first. None where it cannot
 * be told, for instance because there are alternatives.
 */
export function requiredTexts(pattern: string): readonly string[] {
  if (/[|()\\]|\[\^?\]|\[:/.test(pattern)) return [];
  const pieces = pattern
    .replace(/\[[^\]]*\]/g, '\n')
    // What may be absent, or is repeated, ends a piece.
    .replace(/.?(?:[*?]|\{[^}]*\})/gsu, '\n')
    .split(/[^A-Za-z0-9_ -]+/);
  const texts = [...new Set(pieces)].filter((piece) => piece !== '');
  return texts.sort((a, b) => b.length - a.length).slice(0, MOST_TEXTS);
}
