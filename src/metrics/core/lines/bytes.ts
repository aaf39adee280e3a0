/** Bytes that mean something in line protocol. */
export const TAB = 9;
export const NEWLINE = 10;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
export const PLUS = 43;
export const COMMA = 44;
export const MINUS = 45;
export const DOT = 46;
export const EQUALS = 61;
export const BACKSLASH = 92;
export const ZERO = 48;
export const NINE = 57;
/** ASCII letters differ from their capitals in this bit. */
export const SMALL = 32;
