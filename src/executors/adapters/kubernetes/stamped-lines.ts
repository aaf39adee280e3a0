const NOTHING = Buffer.alloc(0);

/**
 * Takes the time stamps off the lines of a pod's log, and remembers how far it came: after a break the log is asked for
 * from the last second on, and what was seen of it is left out. Lines with the very same stamp are counted.
 */
export class StampedLines {
  #rest: Buffer = NOTHING;
  /** Within a line whose stamp was taken off already. */
  #isInside = false;
  #isSkipping = false;
  /** After a break, until the first line that is new: clocks may go back, and then nothing is left out. */
  #isResuming = false;
  #stamp: string | undefined;
  /** Lines that had the last stamp. */
  #count = 0;
  #toSkip = 0;
  /** How much of the line at hand was given out, and how much of the next new one was so before the break. */
  #given = 0;
  #toCut = 0;

  /** The stamp to ask from, in whole seconds as the API wants it; undefined: from the beginning. */
  get since(): string | undefined {
    return this.#stamp?.replace(/\.\d+/, '');
  }

  /** A stream begins, the first or one after a break. */
  begin(): void {
    const isCut = this.#isInside && !this.#isSkipping && this.#count > 0;
    this.#toCut = isCut ? this.#given : 0;
    if (isCut) this.#count--;
    this.#rest = NOTHING;
    this.#isInside = false;
    this.#isSkipping = false;
    this.#isResuming = this.#stamp !== undefined;
    this.#toSkip = this.#count;
  }

  /** What is new in these bytes, without stamps. */
  take(chunk: Buffer): Buffer {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const parts: Buffer[] = [];
    let at = 0;
    while (at < bytes.length) {
      if (!this.#isInside) {
        const start = this.#startLine(bytes, at);
        if (start === undefined) break;
        at = start;
      }
      const end = bytes.indexOf(10, at);
      const next = end < 0 ? bytes.length : end + 1;
      if (!this.#isSkipping) parts.push(this.#uncut(bytes.subarray(at, next)));
      this.#isInside = end < 0;
      at = next;
    }
    this.#rest = at < bytes.length ? bytes.subarray(at) : NOTHING;
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  /** Where the text of the line begins; undefined when its stamp is not whole yet. */
  #startLine(bytes: Buffer, at: number): number | undefined {
    const blank = bytes.indexOf(32, at);
    // What a node says in place of a log has no stamp: 2026-01-02T...
    const isStamped = bytes[at + 4] === 45 && bytes[at + 10] === 84;
    if (blank < 0 && (isStamped || bytes.length - at < 11) && bytes.indexOf(10, at) < 0) return undefined;
    this.#isInside = true;
    this.#given = 0;
    if (!isStamped || blank < 0) {
      this.#isSkipping = false;
      return at;
    }
    this.#isSkipping = !this.#isNew(bytes.toString('latin1', at, blank));
    return blank + 1;
  }

  #isNew(stamp: string): boolean {
    const order = stamp === this.#stamp ? 0 : compare(stamp, this.#stamp ?? '');
    if (this.#isResuming && (order < 0 || (order === 0 && this.#toSkip > 0))) {
      if (order === 0) this.#toSkip--;
      return false;
    }
    // The line that the break cut in two comes first, if it comes at all.
    if (this.#isResuming && order > 0) this.#toCut = 0;
    this.#isResuming = false;
    this.#count = order === 0 ? this.#count + 1 : 1;
    this.#stamp = stamp;
    return true;
  }

  #uncut(text: Buffer): Buffer {
    const cut = Math.min(this.#toCut, text.length);
    this.#toCut -= cut;
    this.#given += text.length;
    return cut === 0 ? text : text.subarray(cut);
  }
}

/** 2026-01-02T03:04:05.12Z and ...05.120000001Z: nodes leave trailing zeros out. */
function compare(a: string, b: string): number {
  const [left, right] = [comparable(a), comparable(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function comparable(stamp: string): string {
  const [, seconds = stamp, fraction = ''] = /^(.{19})(?:\.(\d+))?/.exec(stamp) ?? [];
  return `${seconds}.${fraction.padEnd(9, '0')}`;
}
