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

/** JSON for a terminal as well as for a program: what could move a cursor or reorder a line is escaped. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** DEL, C1, marks of direction, line and paragraph separators; JSON escapes the others itself. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Sequences of a terminal: colours (the group holds their numbers), and all others. What begins like one and never ends
 * is text.
 */
export const TERMINAL_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with ESC.
  /\x1b\[([\d;:]*)m|\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[@-Z\\-_])/g;

/** The text that a terminal would show, without colours and movements. */
export function withoutSequences(text: string): string {
  return text.replace(TERMINAL_SEQUENCE, '');
}
