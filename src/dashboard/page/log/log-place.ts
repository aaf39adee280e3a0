import type { LogLine } from './log-line.ts';
import type { LogStretch } from './log-stretch.ts';

/**
 * A line as the address names it: "12", counted from the beginning, or "b4096", the byte at which it begins. Only the
 * stretch from the beginning on has lines that are counted.
 */
export function placeOf(stretch: LogStretch, index: number, { at }: Pick<LogLine, 'at'>): string {
  return stretch.from === 0 ? String(index + 1) : `b${at}`;
}

/** The byte that a place names; undefined where it is counted. */
export function byteOf(place: string | undefined): number | undefined {
  const [, digits] = /^b(\d{1,15})$/.exec(place ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether the byte is in one of the stretches. */
export function hasByte(stretches: readonly LogStretch[], byte: number): boolean {
  return stretches.some(({ from, next }) => byte >= from && byte < next);
}

/** Places of all lines that hold the text, whatever its case. */
export function findPlaces(stretches: readonly LogStretch[], text: string): readonly string[] {
  if (text === '') return [];
  const wanted = text.toLowerCase();
  const found: string[] = [];
  for (const stretch of stretches) {
    for (const { first, lines } of stretch.blocks) {
      for (const [place, line] of lines.entries())
        if (line.text.toLowerCase().includes(wanted)) found.push(placeOf(stretch, first + place, line));
    }
    const { rest, lineCount } = stretch;
    if (rest?.text.toLowerCase().includes(wanted)) found.push(placeOf(stretch, lineCount, rest));
  }
  return found;
}
