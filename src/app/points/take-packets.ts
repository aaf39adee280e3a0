import type { IngestCounters } from '../../core/lines/ingest-counters.ts';
import { stampLines } from '../../core/lines/stamp-lines.ts';
import type { Moment } from '../../core/model/points.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { PointWriter } from '../../core/ports/point-reader.ts';

export interface PacketOptions {
  /** Where points of packets go: a packet cannot say. */
  readonly database: string;
  readonly keepsNotFinite: boolean;
  /** One bad line refuses its whole packet, as Telegraf does. */
  readonly isStrict: boolean;
}

export interface PacketEffects {
  readonly writer: PointWriter;
  readonly counters: IngestCounters;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Now, never the same twice: two packets of one series must not become one point. */
  moment(): Moment;
  report(line: string): void;
}

/** So long a packet waits for others: short for a person who watches, long enough for thousands of packets. */
const GATHER_MS = 20;
const MOST_BATCH_BYTES = 4 * 1024 * 1024;
/** Beyond this, what comes is lost and counted: memory stays bounded when the disk is slow. */
const MOST_QUEUE_BYTES = 64 * 1024 * 1024;

/** Gathers packets and writes them together, one batch at a time. */
export class PacketTaker {
  readonly #options: PacketOptions;
  readonly #effects: PacketEffects;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;

  constructor(options: PacketOptions, effects: PacketEffects) {
    this.#options = options;
    this.#effects = effects;
  }

  take(packet: Uint8Array): void {
    const { counters, moment, clock } = this.#effects;
    counters.countMessage('udp', packet.length);
    if (this.#waitingBytes + packet.length > MOST_QUEUE_BYTES) {
      counters.countLost('queue-full');
      return;
    }
    const { bytes, ...told } = stampLines(packet, { ...this.#options, at: moment() });
    if (told.refusedLines > 0) {
      counters.countLines('udp', told, clock.now());
      if (this.#options.isStrict) counters.countLost('strict');
    }
    if (bytes.length === 0) return;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when everything that was taken is written. */
  async drain(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waitingBytes < MOST_BATCH_BYTES) await this.#effects.clock.sleep(GATHER_MS);
      await this.#writeBatch();
    }
    this.#writing = undefined;
  }

  async #writeBatch(): Promise<void> {
    const { writer, counters, clock, moment, report } = this.#effects;
    let count = 0;
    let length = 0;
    for (; count < this.#waiting.length && length < MOST_BATCH_BYTES; count++) {
      length += this.#waiting[count]?.length ?? 0;
    }
    const body = joined(this.#waiting.slice(0, count), length);
    this.#waiting = this.#waiting.slice(count);
    this.#waitingBytes -= length;
    const { database, keepsNotFinite } = this.#options;
    const record = {
      database,
      kind: 'lines',
      precision: 'n',
      body,
      receivedAt: moment(),
      keepsNotFinite,
    } as const;
    try {
      counters.countLines('udp', await writer.write(record), clock.now());
    } catch (error) {
      // Nobody waits for an answer to a packet: it is counted and told, and the next ones may do better.
      counters.countLost('not-written', count);
      report(`${count} packets could not be written: ${error instanceof Error ? error.message : error}`);
    }
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
