import type { RefusalCounts, RefusalReason, RefusedLine, Written } from '../points/point-reader.ts';
import type { LineScratch } from './line-scratch.ts';
import { utf8Text } from './line-text.ts';

/** Limits of what is kept: enough to find the problem, not enough to fill the memory. */
const MAX_KEPT = 100;
const MAX_LINE_BYTES = 16 * 1024;

/** Lines that were refused: all are counted, the first are kept. */
export class RefusedLines {
  readonly #refused: RefusedLine[] = [];
  readonly #reasons: Partial<Record<RefusalReason, number>> = {};
  #count = 0;

  add(bytes: Uint8Array, { start, end, reason, message }: LineScratch): void {
    this.#reasons[reason] = (this.#reasons[reason] ?? 0) + 1;
    if (this.#count++ >= MAX_KEPT) return;
    const isLong = end - start > MAX_LINE_BYTES;
    const text = utf8Text(bytes, start, isLong ? start + MAX_LINE_BYTES : end);
    this.#refused.push({ line: isLong ? `${text}...` : text, reason, message });
  }

  summary(): { refused: RefusedLine[]; refusedLines: number; reasons: RefusalCounts } {
    return { refused: this.#refused, refusedLines: this.#count, reasons: this.#reasons };
  }
}

/** InfluxDB detects these only when it stores what it has parsed. */
const FOUND_LATE: readonly RefusalReason[] = ['type-conflict', 'reserved-name'];

/** The error message of InfluxDB for a write of which something was refused; undefined when nothing was. */
export function writeError(written: Written): string | undefined {
  const { lines, refused, refusedLines } = written;
  if (refusedLines === 0) return undefined;
  const late = FOUND_LATE.map((reason) => ({ reason, count: countByReason(reason, written) }));
  const unparsed = refusedLines - late.reduce((sum, { count }) => sum + count, 0);
  const parseError = refused
    .filter(({ reason }) => !FOUND_LATE.includes(reason))
    .map(({ line, message }) => `unable to parse '${line}': ${message}`)
    .join('\n');
  if (unparsed === lines) return parseError;
  const worst = late.find(({ count }) => count > 0);
  if (worst === undefined) return `partial write: ${parseError} dropped=0`;
  const first = refused.find(({ reason }) => reason === worst.reason)?.message ?? worst.reason;
  return `partial write: ${first} dropped=${worst.count}`;
}

function countByReason(reason: RefusalReason, { refused, reasons }: Written): number {
  if (reasons !== undefined) return reasons[reason] ?? 0;
  return refused.filter((line) => line.reason === reason).length;
}

/** `nightmark serve` sends the exact count here: InfluxDB's message does not count lines that fail in two ways. */
export const REFUSED_LINES_HEADER = 'x-nightmark-refused-lines';

/**
 * How many of the sent lines a server such as InfluxDB refused, by its error message. Of a partial write the others were
 * stored: "dropped=N" counts what was parsed and not stored; what could not be parsed is listed before it.
 */
export function refusedCount(message: string, sent: number): number {
  if (!message.startsWith('partial write: ')) return sent;
  const dropped = Number(/ dropped=(\d+)\s*$/.exec(message)?.[1] ?? 0);
  const notParsed = message.match(/(?:^partial write: |\n)unable to parse '/g)?.length ?? 0;
  return Math.min(sent, Math.max(1, dropped + notParsed));
}
