import type { ColumnBook } from '../points/column-book.ts';
import type { LineTrail } from '../points/line-trail.ts';
import { EQUALS, NEWLINE, SPACE } from './bytes.ts';
import type { LineScratch } from './line-scratch.ts';
import { quickValue } from './quick-line.ts';
import { quickTime } from './times.ts';

interface KnownPlace {
  readonly book: ColumnBook;
  readonly trail: LineTrail;
  /** Takes what the line says. */
  readonly line: LineScratch;
}

/**
 * Reads a line whose head and fields are those that are expected here, with the columns of its fields. Gives the
 * position after the line, or -1 when `quickLine` has to look at it. Both agree on every line that this one takes.
 */
export function knownLine(bytes: Uint8Array, from: number, { book, trail, line }: KnownPlace): number {
  line.clear();
  let at = trail.afterHead(bytes, from);
  if (at < 0 || bytes[at] !== SPACE) return -1;
  for (;;) {
    at = trail.afterField(bytes, at + 1);
    if (at < 0 || bytes[at] !== EQUALS) return -1;
    const field = line.count;
    line.openField(0, 0, 0);
    at = quickValue(bytes, at + 1, line);
    const { column } = trail;
    if (at < 0 || book.typeCode(column) !== line.type[field]) return -1;
    line.column[field] = column;
    const code = at < bytes.length ? (bytes[at] as number) : NEWLINE;
    if (code === NEWLINE) {
      trail.closeLine();
      return at + 1;
    }
    if (code !== SPACE) continue;
    const end = quickTime(bytes, at + 1, line);
    if (end >= 0) trail.closeLine();
    return end;
  }
}
