import type { PointRows } from '../points.ts';
import { grown } from './line-scratch.ts';

/** Rows while they come; its arrays grow and are used again for the next bytes. */
export class RowBuffer {
  count = 0;
  column = new Uint32Array(1024);
  ms = new Float64Array(1024);
  ns = new Int32Array(1024);
  type = new Uint8Array(1024);
  value = new Float64Array(1024);
  isOther = new Uint8Array(1024);
  others: (string | bigint)[] = [];

  /** Makes room for so many more rows. */
  reserve(more: number): void {
    if (this.count + more <= this.type.length) return;
    const length = Math.max(2 * this.type.length, this.count + more);
    this.column = grown(this.column, new Uint32Array(length));
    this.ms = grown(this.ms, new Float64Array(length));
    this.ns = grown(this.ns, new Int32Array(length));
    this.type = grown(this.type, new Uint8Array(length));
    this.value = grown(this.value, new Float64Array(length));
    this.isOther = grown(this.isOther, new Uint8Array(length));
  }

  /** The rows as a copy of their own, and an empty buffer again. */
  take(): PointRows {
    const { count, others } = this;
    const rows = {
      count,
      column: this.column.slice(0, count),
      moments: { ms: this.ms.slice(0, count), ns: this.ns.slice(0, count) },
      type: this.type.slice(0, count),
      value: this.value.slice(0, count),
      others,
      isOther: this.isOther.slice(0, count),
    };
    this.count = 0;
    this.others = [];
    return rows;
  }
}
