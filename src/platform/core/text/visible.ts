/**
 * Text from experiments for one line of a terminal: control characters become their visible signs, so that a name or a
 * message can neither move the cursor nor reorder what stands beside it.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** C0, DEL, C1, marks of direction, line and paragraph separators. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
