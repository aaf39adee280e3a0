/** Enough for the last lines of a stack trace. */
const KEPT_BYTES = 4096;

/** The end of what a command printed; never more, whatever it prints. */
export class OutputTail {
  #kept = Buffer.alloc(0);

  add(chunk: Buffer): void {
    const both = chunk.length >= KEPT_BYTES ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#kept = Buffer.from(both.subarray(-KEPT_BYTES));
  }

  /** What there is, which is then forgotten. */
  take(): string {
    const text = this.#kept.toString('utf8');
    this.#kept = Buffer.alloc(0);
    return text;
  }
}
