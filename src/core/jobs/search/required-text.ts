/**
 * A text that everything holds which a pattern finds: its longest piece without signs. Undefined where it cannot be told, for
 * instance because there are alternatives.
 */
export function requiredText(pattern: string): string | undefined {
  if (/[|()\\]/.test(pattern)) return undefined;
  const pieces = pattern
    .replace(/\[[^\]]*\]/g, '\n')
    // What may be absent, or is repeated, ends a piece.
    .replace(/.?(?:[*?]|\{[^}]*\})/gsu, '\n')
    .split(/[^A-Za-z0-9_ -]+/);
  const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  return longest === '' ? undefined : longest;
}
