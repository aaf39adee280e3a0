import type { Delivery } from '../core/lines/line-sink.ts';
import type { LineSender } from './line-senders.ts';

/** Counts of lines by their outcome. */
export interface MetricCounts {
  readonly sent: number;
  readonly waiting: number;
  /** No measurement, no field, no value that the protocol can carry, an image that could not be written. */
  readonly invalid: number;
  /** Lost: no receiver, refused, too long for a datagram, or too many waiting. */
  readonly dropped: number;
  /** The last error of the receiver or the network. */
  readonly lastError?: string;
}

const DELAY_MS = 100;
const RETRY_MS = 1_000;
const FLUSH_MS = 2_000;
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Sends lines in batches; what cannot be sent waits, and the oldest are dropped when too many wait. */
export class LineQueue {
  readonly #sender: LineSender | undefined;
  #lines: string[] = [];
  #bytes = 0;
  #sent = 0;
  #invalid = 0;
  #dropped = 0;
  #lastError: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pumping: Promise<void> | undefined;
  readonly #atEnd = () => void this.flush();
  readonly #atExit = () => this.#sendNow();

  constructor(sender: LineSender | undefined) {
    this.#sender = sender;
    if (!sender) this.#lastError = 'there is no such address';
    // Once: the flush would trigger the event again.
    process.once('beforeExit', this.#atEnd);
    process.on('exit', this.#atExit);
  }

  get counts(): MetricCounts {
    return {
      sent: this.#sent,
      waiting: this.#lines.length,
      invalid: this.#invalid,
      dropped: this.#dropped,
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
    };
  }

  countInvalid(): void {
    this.#invalid++;
  }

  add(lines: readonly string[]): void {
    for (const line of lines) {
      const bytes = Buffer.byteLength(line) + 1;
      if (!this.#sender || bytes > this.#sender.lineBytes) {
        this.#dropped++;
        continue;
      }
      this.#lines.push(line);
      this.#bytes += bytes;
    }
    if (!this.#sender || this.#lines.length === 0) return;
    this.#sender.prepare();
    if (this.#bytes >= this.#sender.batchBytes && this.#pumping === undefined) this.#sendNow();
    if (this.#bytes > MAX_WAITING_BYTES) this.#forgetOldest();
    this.#wake(this.#bytes >= this.#sender.batchBytes ? 0 : DELAY_MS);
  }

  /** Sending keeps no process alive; waiting for it does, for a short time. */
  async flush(): Promise<void> {
    if (this.#lines.length === 0 && this.#pumping === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_MS);
    });
    await Promise.race([this.#pump(), enough]);
    clearTimeout(timer);
  }

  close(): void {
    process.off('beforeExit', this.#atEnd);
    process.off('exit', this.#atExit);
    clearTimeout(this.#timer);
    this.#dropped += this.#lines.length;
    this.#lines = [];
    this.#bytes = 0;
    this.#sender?.close();
  }

  #wake(delayMs: number): void {
    if (this.#timer !== undefined || this.#pumping !== undefined) return;
    this.#timer = setTimeout(() => void this.#pump(), delayMs).unref();
  }

  #pump(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pumping ??= this.#sendAll().finally(() => {
      this.#pumping = undefined;
      if (this.#lines.length > 0) this.#wake(RETRY_MS);
    });
    return this.#pumping;
  }

  async #sendAll(): Promise<void> {
    while (this.#sender && this.#lines.length > 0) {
      const batch = this.#takeBatch(this.#sender.batchBytes);
      const delivery = await this.#sender.send(`${batch.join('\n')}\n`);
      // Over UDP every failure is final.
      if (delivery.state !== 'failed' || !this.#sender.canRetry) {
        this.#note(delivery, batch.length);
        continue;
      }
      this.#lastError = delivery.message;
      this.#lines = [...batch, ...this.#lines];
      this.#bytes += bytesOf(batch);
      return;
    }
  }

  #sendNow(): void {
    while (this.#sender?.isReady && this.#lines.length > 0) {
      const batch = this.#takeBatch(this.#sender.batchBytes);
      this.#sender.sendNow(`${batch.join('\n')}\n`, (delivery) => this.#note(delivery, batch.length));
    }
  }

  #note(delivery: Delivery, lines: number): void {
    // The rest of a partly refused batch was accepted.
    const lost =
      delivery.state === 'delivered' ? 0 : delivery.state === 'refused' ? (delivery.lines ?? lines) : lines;
    this.#dropped += Math.min(lost, lines);
    this.#sent += lines - Math.min(lost, lines);
    if (delivery.state !== 'delivered') this.#lastError = delivery.message;
  }

  #takeBatch(maxBytes: number): readonly string[] {
    let count = 0;
    let bytes = 0;
    for (const line of this.#lines) {
      const more = Buffer.byteLength(line) + 1;
      if (count > 0 && bytes + more > maxBytes) break;
      bytes += more;
      count++;
    }
    this.#bytes -= bytes;
    return this.#lines.splice(0, count);
  }

  #forgetOldest(): void {
    while (this.#bytes > MAX_WAITING_BYTES * 0.9)
      this.#dropped += this.#takeBatch(MAX_WAITING_BYTES / 10).length;
  }
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
