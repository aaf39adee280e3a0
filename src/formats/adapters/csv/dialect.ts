import { cellNumber } from '../../core/cell.ts';

const DELIMITERS = [',', ';', '\t'] as const;
const LOOKED_AT = 20;

/** The separator that occurs most in the first line, outside of quotes. */
export function findDelimiter(text: string): (typeof DELIMITERS)[number] {
  const header = withoutQuoted(firstLines(text, 1)[0] ?? '');
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** A header of which not all is a number, and below it a row of as many cells with a number in it. */
export function looksLikeCsv(head: string): boolean {
  if (/^\uFEFF?\s*[{[<]/.test(head)) return false;
  const [header = '', ...rows] = firstLines(head, LOOKED_AT);
  const delimiter = findDelimiter(head);
  const names = withoutQuoted(header).split(delimiter);
  if (names.every(isNumber)) return false;
  return rows.some((row) => {
    const cells = withoutQuoted(row).split(delimiter);
    return cells.length === names.length && cells.some(isNumber);
  });
}

function isNumber(cell: string): boolean {
  return typeof cellNumber(cell) === 'number';
}

/** Lines with something on them. Only the start is looked at: a line may be a gigabyte. */
function firstLines(text: string, count: number): readonly string[] {
  const lines = text
    .slice(0, 65_536)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/);
  return lines.filter((line) => line.trim() !== '').slice(0, count);
}

/** Quoted numbers are still numbers; other quoted text only hides separators. */
function withoutQuoted(line: string): string {
  return line.replace(/"((?:[^"]|"")*)"/g, (_, inner: string) => (isNumber(inner) ? inner : 'x'));
}
