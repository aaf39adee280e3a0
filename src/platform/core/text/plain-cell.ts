import { csvCell } from './csv.ts';

/** A cell of a table that people open in a table program, which takes text that begins so for a formula. */
export function plainCell(text: string): string {
  return csvCell(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
}
