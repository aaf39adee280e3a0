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
