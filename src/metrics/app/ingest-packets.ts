import type { Clock } from '../../platform/core/clock.ts';
import type { IngestCounters } from '../core/lines/ingest-counters.ts';
import { LineStamper } from '../core/lines/line-stamper.ts';
import { type PointWriter, storageUnavailableMessage } from '../core/points/point-reader.ts';
import type { Timestamp } from '../core/points/points.ts';

export interface PacketOptions {
  /** The database for points of packets: a packet names none. */
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
  nextTimestamp(): Timestamp;
  report(line: string): void;
}

/** How long a packet waits for others: short for a person who watches, long enough for thousands of packets. */
const BATCH_MS = 20;
/** While the storage is unavailable packets wait, as many as the queue holds. */
const RETRY_MS = 500;
const MAX_BATCH_BYTES = 1024 * 1024;
/** Beyond this, packets are dropped and counted: memory stays bounded when the disk is slow. */
const MAX_QUEUE_BYTES = 64 * 1024 * 1024;

interface Batch {
  readonly body: Uint8Array;
  readonly packets: number;
}

/** Collects packets and writes them together, one batch at a time. */
export class PacketIngester {
  readonly #options: PacketOptions;
  readonly #effects: PacketEffects;
  readonly #stamper: LineStamper;
  /** Packets whose lines are in the stamper. */
  #packets = 0;
  /** Full batches. */
  #batches: Batch[] = [];
  #batchBytes = 0;
  #writing: Promise<void> | undefined;
  #isFailing = false;
  #isDraining = false;

  constructor(options: PacketOptions, effects: PacketEffects) {
    this.#options = options;
    this.#effects = effects;
    this.#stamper = new LineStamper(options);
  }

  take(packet: Uint8Array): void {
    const { counters, nextTimestamp, clock } = this.#effects;
    counters.countMessage('udp', packet.length);
    if (this.#batchBytes > MAX_QUEUE_BYTES) {
      counters.countLost('queue-full');
      return;
    }
    const refused = this.#stamper.take(packet, nextTimestamp());
    if (refused !== undefined) {
      counters.countLines('udp', refused, clock.now());
      if (this.#options.isStrict) counters.countLost('strict');
    }
    this.#packets++;
    if (this.#stamper.length > MAX_BATCH_BYTES) this.#closeBatch();
    if (this.#stamper.length > 0) this.#writing ??= this.#writeAll();
  }

  /** Resolves when everything that was taken is written, or lost because the storage is unavailable. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#writing !== undefined) await this.#writing;
  }

  #closeBatch(): void {
    if (this.#stamper.length === 0) return;
    const batch = { body: this.#stamper.flush(), packets: this.#packets };
    this.#packets = 0;
    this.#batches.push(batch);
    this.#batchBytes += batch.body.length;
  }

  async #writeAll(): Promise<void> {
    do {
      if (this.#batches.length === 0) await this.#effects.clock.sleep(BATCH_MS);
      if (this.#batches.length === 0) this.#closeBatch();
      const batch = this.#batches.shift();
      if (batch === undefined) continue;
      await this.#writeBatch(batch);
      this.#batchBytes -= batch.body.length;
    } while (this.#batches.length > 0 || this.#stamper.length > 0);
    this.#writing = undefined;
  }

  async #writeBatch({ body, packets }: Batch): Promise<void> {
    const { writer, counters, clock, nextTimestamp, report } = this.#effects;
    const { database, keepsNotFinite } = this.#options;
    const record = {
      database,
      kind: 'lines',
      precision: 'n',
      body,
      receivedAt: nextTimestamp(),
      keepsNotFinite,
    } as const;
    for (;;) {
      try {
        counters.countLines('udp', await writer.write(record), clock.now());
        if (this.#isFailing) report('Packets can be written again.');
        this.#isFailing = false;
        return;
      } catch (error) {
        const isRetried = storageUnavailableMessage(error) !== undefined && !this.#isDraining;
        this.#reportFailure(error, isRetried);
        // A packet has no response: what is lost is counted.
        if (!isRetried) return counters.countLost('not-written', packets);
        await clock.sleep(RETRY_MS);
      }
    }
  }

  /** Once: an unavailable storage would be reported several times a second. */
  #reportFailure(error: unknown, isRetried: boolean): void {
    const what = isRetried
      ? 'wait until they can be written'
      : 'could not be written and are counted as lost';
    const why = error instanceof Error ? error.message : error;
    if (!this.#isFailing) this.#effects.report(`Packets ${what}: ${why}`);
    this.#isFailing = true;
  }
}
