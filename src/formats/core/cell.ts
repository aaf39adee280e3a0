import type { JsonValue } from '../../platform/core/text/json.ts';

/** What a row has in a column: text in CSV, anything flat or a list in JSON, undefined where it has nothing. */
export type Cell = string | number | boolean | null | undefined | readonly JsonValue[];

/** A cell read as a number. A gap says "not measured"; it is neither a zero nor a failure. */
type CellNumber = number | 'gap' | 'other';

export type CellKind = 'number' | 'gap' | 'boolean' | 'text' | 'list';

const GAP_WORD = /^(?:|nan|null|none|na|n\/a)$/i;
const INFINITE_WORD = /^([+-]?)inf(?:inity)?$/i;
const BOOLEAN_WORD = /^(?:true|false)$/i;
/** Character codes. */
const SPACE = 32;
const NINE = 57;
/** Number() also reads 0x10, 0o7 and 0b1, which are not measurements. */
const OTHER_BASE = /^\s*0[xob]/i;

/** Text counts as a number where it looks like one. Infinite ones come back as they are. */
export function cellNumber(cell: Cell | JsonValue): CellNumber {
  if (typeof cell === 'number') return Number.isNaN(cell) ? 'gap' : cell;
  if (cell === null || cell === undefined) return 'gap';
  return typeof cell === 'string' ? textNumber(cell) : 'other';
}

/** The kind of a cell, which decides the kind of its column. Text that looks like a number is one only in files where all is text. */
export function cellKind(cell: Cell, isAllText: boolean): CellKind {
  if (typeof cell === 'boolean') return 'boolean';
  if (Array.isArray(cell)) return cell.some((item) => typeof item === 'number') ? 'number' : 'list';
  if (typeof cell !== 'string' || isAllText) {
    const number = cellNumber(cell as Exclude<Cell, readonly JsonValue[]>);
    if (number !== 'other') return number === 'gap' ? 'gap' : 'number';
  }
  return isAllText && BOOLEAN_WORD.test(String(cell).trim()) ? 'boolean' : 'text';
}

/** A cell in a sentence: as it was written, cut where it is long. */
export function showCell(cell: Cell | JsonValue): string {
  if (typeof cell === 'object' && cell !== null) return Array.isArray(cell) ? 'a list' : 'an object';
  if (cell === undefined) return 'missing';
  if (cell === '') return 'empty';
  const text = typeof cell === 'string' ? JSON.stringify(cell) : String(cell);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Nearly every cell of a file is a plain number: the first lines decide the speed of reading. */
function textNumber(text: string): CellNumber {
  const number = Number(text);
  if (Number.isFinite(number) && number !== 0) return isOtherBase(text) ? 'other' : number;
  const trimmed = text.trim();
  if (GAP_WORD.test(trimmed)) return 'gap';
  const infinite = INFINITE_WORD.exec(trimmed);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  if (Number.isNaN(number) || isOtherBase(text)) return 'other';
  return number;
}

function isOtherBase(text: string): boolean {
  const second = text.charCodeAt(1);
  return (second > NINE || text.charCodeAt(0) <= SPACE) && OTHER_BASE.test(text);
}

/** Names without blanks around them, each once; a nameless column is called by its number. */
export function columnNames(header: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (const [index, cell] of header.entries()) {
    let name = cell.trim() || `column ${index + 1}`;
    while (names.has(name)) name = `${name} (${index + 1})`;
    names.add(name);
  }
  return [...names];
}
