/** JSON for a terminal as well as for a program: what could move a cursor or reorder a line is escaped. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    HIDDEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** DEL, C1, marks of direction, line and paragraph separators; JSON escapes the others itself. */
const HIDDEN = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
