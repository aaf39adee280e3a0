import type { ForwardTarget } from '../../home/core/home.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { utf8 } from '../../platform/core/text/utf8.ts';
import type { ForwardBatch, ForwardConnection, LeaveReason } from '../core/forward/forwarder.ts';
import { fieldFilter, joinRows, selectRows, sliceRows, wantsDatabase } from '../core/forward/select-rows.ts';
import type { Spool, SpoolFacts, SpoolPart } from '../core/forward/spool.ts';
import { utf8Text } from '../core/lines/line-text.ts';
import { readLines } from '../core/lines/read-lines.ts';
import type { PointWriter } from '../core/points/point-reader.ts';
import type { LogRecord } from '../core/points/point-storage.ts';
import type { FieldKey, PointRows } from '../core/points/points.ts';
import { ColumnRegistry } from '../core/series/column-registry.ts';

/** Sends what is written on to mirrors. */
export interface Forwarding {
  /** Puts a record into the queues of the mirrors that want it. */
  take(record: LogRecord): void;
  /** Sends until cancelled; the queues are closed then. */
  run(signal: CancelSignal): Promise<void>;
  status(): readonly ForwardStatus[];
}

export function forwardPoints(workers: readonly ForwardWorker[]): Forwarding {
  return {
    take(record) {
      const interested = workers.filter(({ target }) => wantsDatabase(target.only, record.database));
      if (interested.length === 0 || record.kind !== 'lines') return;
      const bytes = encodeRecord(record);
      const lines = countLines(record.body);
      for (const worker of interested) worker.take(bytes, lines);
    },
    async run(signal) {
      await Promise.all(workers.map((worker) => worker.run(signal)));
    },
    status: () => workers.map((worker) => worker.status()),
  };
}

/**
 * A writer whose points are mirrored. They are queued before the write is acknowledged, so that mirrors lose no
 * acknowledged point.
 */
export function forwardingWriter(writer: PointWriter, forwarding: Forwarding): PointWriter {
  return {
    async write(record) {
      const written = await writer.write(record);
      if (written.values > 0) forwarding.take(record);
      return written;
    },
    hasDatabase: (name) => writer.hasDatabase(name),
  };
}

export interface ForwardEffects {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly random: () => number;
  readonly report: (message: string) => void;
}

export interface ForwardParts {
  readonly target: ForwardTarget;
  readonly spool: Spool;
  readonly connection: ForwardConnection;
}

/** The status of a mirror. */
export interface ForwardStatus {
  readonly name: string;
  readonly to: string;
  /** waiting: the target is unavailable, and records are queued. */
  readonly state: 'idle' | 'sending' | 'waiting';
  /** Values since the start of the process. */
  readonly sent: number;
  readonly leftOut: Readonly<Partial<Record<LeaveReason, number>>>;
  /** Lines that could not be queued, since the start of the process. */
  readonly notBuffered: number;
  readonly buffer: SpoolFacts;
  /** The first message of the target about a refused value. */
  readonly firstRefusal?: string;
  /** Why it waits. */
  readonly problem?: string;
}

/** Servers recommend some thousand points a request. */
const BATCH = 5_000;
const PART_BYTES = 1024 * 1024;
/** Packets of one line each come one after the other: a short wait makes one request of many. */
const LINGER_MS = 200;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** One target and its queue: sends in order, at least once, and waits while the target is unavailable. */
export class ForwardWorker {
  readonly target: ForwardTarget;
  readonly #spool: Spool;
  readonly #connection: ForwardConnection;
  readonly #effects: ForwardEffects;
  readonly #isWanted: (key: FieldKey) => boolean;
  readonly #leftOut: Partial<Record<LeaveReason, number>> = {};
  #state: ForwardStatus['state'] = 'idle';
  #sent = 0;
  #notBuffered = 0;
  #firstRefusal: string | undefined;
  #problem: string | undefined;
  #wake: () => void = () => {};

  constructor({ target, spool, connection }: ForwardParts, effects: ForwardEffects) {
    this.target = target;
    this.#spool = spool;
    this.#connection = connection;
    this.#effects = effects;
    this.#isWanted = fieldFilter(target.only);
  }

  /** Never throws: a full queue of a mirror is not a reason to refuse a write. */
  take(record: Uint8Array, lines: number): void {
    try {
      this.#spool.append(record, lines);
    } catch (error) {
      if (this.#notBuffered === 0) this.#effects.report(`${this.target.name}: ${(error as Error).message}`);
      this.#notBuffered += lines;
    }
    this.#wake();
  }

  async run(signal: CancelSignal): Promise<void> {
    const stop = () => this.#wake();
    signal.addEventListener('abort', stop);
    while (!signal.aborted) {
      const part = this.#spool.peek(PART_BYTES);
      if (part === undefined) {
        this.#state = 'idle';
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        await this.#effects.clock.sleep(LINGER_MS, signal);
        continue;
      }
      this.#state = 'sending';
      if (await this.#deliver(part, signal)) this.#spool.release(part);
    }
    signal.removeEventListener('abort', stop);
    this.#spool.close();
  }

  status(): ForwardStatus {
    return {
      name: this.target.name,
      to: this.target.to,
      state: this.#state,
      sent: this.#sent,
      leftOut: { ...this.#leftOut },
      notBuffered: this.#notBuffered,
      buffer: this.#spool.facts(),
      ...(this.#firstRefusal !== undefined && { firstRefusal: this.#firstRefusal }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  async #deliver(part: SpoolPart, signal: CancelSignal): Promise<boolean> {
    for (const batch of batchesOf(part, this.#isWanted)) {
      if (!(await this.#send(batch, signal))) return false;
    }
    return true;
  }

  /** False: interrupted. */
  async #send(batch: ForwardBatch, signal: CancelSignal): Promise<boolean> {
    const { clock, random, report } = this.#effects;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const delivery = await this.#connection.send(batch, signal);
      if (delivery.state === 'done') {
        this.#count(delivery.sent, delivery.leftOut, delivery.message);
        if (this.#problem !== undefined) report(`${this.target.name}: available again.`);
        this.#problem = undefined;
        this.#state = 'sending';
        return true;
      }
      if (signal.aborted) break;
      if (this.#problem === undefined) report(`${this.target.name}: ${delivery.message}. It is retried.`);
      this.#problem = delivery.message;
      this.#state = 'waiting';
      // Half of it is jitter, so that many clients of one target do not come back at once.
      const jittered = pauseMs * (0.5 + 0.5 * random());
      await clock.sleep(Math.max(jittered, delivery.retryAfterMs ?? 0), signal);
    }
    return false;
  }

  #count(sent: number, leftOut: ForwardStatus['leftOut'], message: string | undefined): void {
    this.#sent += sent;
    for (const [reason, count] of Object.entries(leftOut) as [LeaveReason, number][]) {
      this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + count;
    }
    if (message === undefined || this.#firstRefusal !== undefined) return;
    this.#firstRefusal = message;
    this.#effects.report(`${this.target.name}: ${message}. What it refuses is left out and counted.`);
  }
}

/** Records of a part as batches, each of one database; neighbours are joined. */
function* batchesOf({ bodies }: SpoolPart, isWanted: (key: FieldKey) => boolean): Generator<ForwardBatch> {
  const registry = new ColumnRegistry();
  let database = '';
  let pending: PointRows[] = [];
  for (const bytes of bodies) {
    const { body, ...record } = decodeRecord(bytes);
    if (record.database !== database) {
      yield* slices(database, pending, registry);
      pending = [];
      database = record.database;
    }
    const { rows } = readLines(body, registry, record);
    pending.push(selectRows(rows, (column) => isWanted(registry.at(column))));
  }
  yield* slices(database, pending, registry);
}

function* slices(
  database: string,
  parts: readonly PointRows[],
  registry: ColumnRegistry,
): Generator<ForwardBatch> {
  const rows = joinRows(parts);
  for (let at = 0; at < rows.count; at += BATCH) {
    yield { database, rows: sliceRows(rows, at, at + BATCH), keyOf: (column) => registry.at(column) };
  }
}

/** A record as bytes for a queue: a line of JSON, then the body as it came. */
export function encodeRecord({ body, ...head }: LogRecord): Uint8Array {
  const line = utf8(`${JSON.stringify(head)}\n`);
  const bytes = new Uint8Array(line.length + body.length);
  bytes.set(line);
  bytes.set(body, line.length);
  return bytes;
}

export function decodeRecord(bytes: Uint8Array): LogRecord {
  const end = bytes.indexOf(10);
  // Written above; the queue has checked the checksum.
  const head = JSON.parse(utf8Text(bytes, 0, end)) as Omit<LogRecord, 'body'>;
  return { ...head, body: bytes.subarray(end + 1) };
}

/** Lines that end with a line break, and one that does not. */
export function countLines(body: Uint8Array): number {
  let count = 0;
  for (let at = body.indexOf(10); at !== -1; at = body.indexOf(10, at + 1)) count++;
  return body.length > 0 && body[body.length - 1] !== 10 ? count + 1 : count;
}
