/** Enough for the last lines of a stack trace. */
const KEPT_BYTES = 4096;
/** Whoever waits for last words waits no longer than this: a command may have closed what it was given. */
const LAST_WORDS_MS = 250;

/** What a lane writes behind the output of a run that failed; printf of bash turns the \\0 into a NUL. */
export const END_OF_TAIL = '\\0nightmark-end\\0';
const MARK = Buffer.from('\0nightmark-end\0');

/** The end of what a command printed; never more, whatever it prints. */
export class OutputTail {
  #kept = Buffer.alloc(0);
  #waiting: (() => void) | undefined;

  add(chunk: Buffer): void {
    const both = Buffer.concat([this.#kept, chunk]);
    this.#kept = Buffer.from(both.subarray(-(KEPT_BYTES + MARK.length)));
    if (this.#kept.includes(MARK)) this.#waiting?.();
  }

  /** What was said up to the mark of a run that failed. */
  async untilMark(): Promise<string> {
    if (!this.#kept.includes(MARK)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LAST_WORDS_MS);
        this.#waiting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#waiting = undefined;
    }
    return this.take();
  }

  /** What there is, which is then forgotten. */
  take(): string {
    const end = this.#kept.indexOf(MARK);
    const text = this.#kept.subarray(0, end < 0 ? undefined : end).subarray(-KEPT_BYTES);
    this.#kept = Buffer.alloc(0);
    return text.toString('utf8');
  }
}
