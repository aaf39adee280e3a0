import type { RefusalCounts, RefusalReason, RefusedLine } from '../point-reader.ts';
import type { LineScratch } from './line-scratch.ts';
import { utf8Text } from './utf8.ts';

/** What is kept of refused lines: enough to see what is wrong, not enough to fill the memory. */
const MOST_REFUSED = 100;
const MOST_LINE_BYTES = 16 * 1024;

/** Lines that were refused: all are counted, the first are kept. */
export class Refusals {
  readonly #refused: RefusedLine[] = [];
  readonly #reasons: Partial<Record<RefusalReason, number>> = {};
  #count = 0;

  add(bytes: Uint8Array, { start, end, reason, message }: LineScratch): void {
    this.#reasons[reason] = (this.#reasons[reason] ?? 0) + 1;
    if (this.#count++ >= MOST_REFUSED) return;
    const isLong = end - start > MOST_LINE_BYTES;
    const text = utf8Text(bytes, start, isLong ? start + MOST_LINE_BYTES : end);
    this.#refused.push({ line: isLong ? `${text}...` : text, reason, message });
  }

  told(): { refused: RefusedLine[]; refusedLines: number; reasons: RefusalCounts } {
    return { refused: this.#refused, refusedLines: this.#count, reasons: this.#reasons };
  }
}
