import type { JsonValue } from '../text/json.ts';

/** What a row has in a column: text in CSV, anything flat or a list in JSON, undefined where it has nothing. */
export type Cell = string | number | boolean | null | undefined | readonly JsonValue[];

/** A cell read as a number. A gap says "not measured"; it is no zero and no failure. */
export type CellNumber =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'gap' }
  | { readonly type: 'other' };

export type CellKind = 'number' | 'gap' | 'boolean' | 'text' | 'list';

const GAP: CellNumber = { type: 'gap' };
const OTHER: CellNumber = { type: 'other' };
const GAP_WORD = /^(?:|nan|null|none|na|n\/a)$/i;
const INFINITE_WORD = /^([+-]?)inf(?:inity)?$/i;
const BOOLEAN_WORD = /^(?:true|false)$/i;
/** Number() also reads 0x10 and 1e3; only the latter is a measurement. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Text counts as a number where it looks like one. Infinite ones come back as they are. */
export function cellNumber(cell: Cell | JsonValue): CellNumber {
  if (typeof cell === 'number') return Number.isNaN(cell) ? GAP : { type: 'number', value: cell };
  if (cell === null || cell === undefined) return GAP;
  return typeof cell === 'string' ? textNumber(cell.trim()) : OTHER;
}

/** What a cell tells of its column. Text that looks like a number is one only in files where all is text. */
export function cellKind(cell: Cell, isAllText: boolean): CellKind {
  if (typeof cell === 'boolean') return 'boolean';
  if (Array.isArray(cell)) return cell.some((item) => typeof item === 'number') ? 'number' : 'list';
  if (typeof cell !== 'string' || isAllText) {
    const { type } = cellNumber(cell as Exclude<Cell, readonly JsonValue[]>);
    if (type !== 'other') return type;
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

function textNumber(text: string): CellNumber {
  if (DECIMAL.test(text)) return { type: 'number', value: Number(text) };
  if (GAP_WORD.test(text)) return GAP;
  const infinite = INFINITE_WORD.exec(text);
  if (!infinite) return OTHER;
  return { type: 'number', value: infinite[1] === '-' ? -Infinity : Infinity };
}
