import { createHash } from 'node:crypto';
import { destinationFrom, destinationOf, type Environment, tagsFrom } from '../metrics/client/destination.ts';
import { LineQueue, type MetricCounts } from '../metrics/client/line-queue.ts';
import {
  formatLines,
  type LineFields,
  type LineTags,
  type LineValue,
  metricIdText,
} from '../metrics/core/lines/format-line.ts';
import type { Timestamp } from '../metrics/core/points/points.ts';
import type { JsonObject } from '../platform/core/text/json.ts';
import { type ImageOptions, imageInOutput } from './image-file.ts';

export interface MetricsOptions {
  /** udp://HOST:PORT or http(s)://HOST:PORT[?db=NAME]; by default from the environment. */
  readonly to?: string;
  /** For a server that requires one; NIGHTMARK_TOKEN by default. */
  readonly token?: string;
  /** On every point, over those of the environment. */
  readonly tags?: LineTags;
  /** Where images go; NIGHTMARK_OUTPUT_DIR, else the current folder. */
  readonly outputDir?: string;
  readonly env?: Environment;
}

export interface LogOptions {
  readonly tags?: LineTags;
  /** Epoch, iteration, number of environment steps ... */
  readonly step?: number | bigint;
  /** Nanoseconds since 1970, or a date; now by default. */
  readonly at?: bigint | Date;
}

/**
 * Logs metrics of an experiment, and never harms it: nothing here throws, waits, or keeps the process alive, and a
 * missing receiver costs nothing but the metrics. `counts` has their outcome.
 */
export class Metrics {
  readonly #queue: LineQueue;
  readonly #tags: LineTags;
  readonly #outputDir: string;
  readonly #clock = new UniqueClock();

  constructor({ to, token, tags = {}, outputDir, env = process.env }: MetricsOptions = {}) {
    const secret = token ?? env['NIGHTMARK_TOKEN'];
    const destination = to === undefined ? destinationFrom(env) : destinationOf(to, secret);
    this.#queue = new LineQueue(destination?.sender);
    this.#tags = { ...tagsFrom(env), ...tags };
    this.#outputDir = outputDir ?? (env['NIGHTMARK_OUTPUT_DIR'] || '.');
  }

  /** One value, or several fields of one time. A number is a float; a bigint, or `int(3)`, an integer. */
  log(name: string, value: LineValue | LineFields, { tags = {}, step, at }: LogOptions = {}): void {
    this.#safely(() => {
      const fields = typeof value === 'object' && value !== null ? value : { value };
      const lines = formatLines({
        measurement: name,
        tags: { ...this.#tags, ...tags },
        fields: step === undefined ? fields : { ...fields, step: int(step) },
        at: this.#clock.timestamp(at),
      });
      if (lines.length === 0) this.#queue.countInvalid();
      this.#queue.add(lines);
    });
  }

  /** A setting of the experiment. Numbers go to one field and texts to another, so that types never clash. */
  parameter(name: string, value: LineValue): void {
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    const fields = isNumber ? { number: Number(value) } : { text: String(value) };
    this.log('parameter', fields, { tags: { name } });
  }

  parameters(all: Readonly<Record<string, LineValue>>): void {
    this.#safely(() => {
      for (const [name, value] of Object.entries(all)) this.parameter(name, value);
    });
  }

  /** From 0 to 1. */
  progress(share: number): void {
    this.log('progress', Math.min(1, Math.max(0, share)));
  }

  text(name: string, value: string, options: LogOptions = {}): void {
    this.#safely(() => this.log('text', String(value), { ...options, tags: { ...options.tags, name } }));
  }

  /** Puts the picture (its bytes, or the path of a file) into the output folder, and logs its path. */
  async image(
    name: string,
    picture: Uint8Array | string,
    options: LogOptions & ImageOptions = {},
  ): Promise<void> {
    try {
      const path = await imageInOutput(this.#outputDir, name, picture, options);
      this.log('image', { path }, { ...options, tags: { ...options.tags, name } });
    } catch {
      this.#queue.countInvalid();
    }
  }

  /** Counts of lines by their outcome. Over UDP "sent" means passed to the network. */
  get counts(): MetricCounts {
    return this.#queue.counts;
  }

  /** Waits until everything was sent, or could not be; at most two seconds. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  async close(): Promise<void> {
    await this.#queue.flush();
    this.#queue.close();
  }

  #safely(act: () => void): void {
    try {
      act();
    } catch {
      this.#queue.countInvalid();
    }
  }
}

/** A number as an integer of the protocol: `int(3)` is `3i`. Fractions are truncated. */
export function int(value: number | bigint): bigint {
  return typeof value === 'bigint' ? value : BigInt(Math.trunc(value));
}

/**
 * The current time, but never the same timestamp twice: a second point of a series at the same time would replace the
 * first. Processes that share their tags begin their milliseconds at different nanoseconds, for the same reason.
 */
export class UniqueClock {
  readonly #offset = (process.pid % 900) * 1_000;
  #ms = 0;
  #ns = 0;

  /** The given time, or the current one. */
  timestamp(given?: bigint | Date): Timestamp {
    if (given instanceof Date) return { ms: Math.trunc(given.getTime()), ns: 0 };
    if (given !== undefined) return toTimestamp(given);
    const now = Date.now();
    if (now > this.#ms) {
      this.#ms = now;
      this.#ns = this.#offset;
    } else if (++this.#ns === 1_000_000) {
      this.#ms++;
      this.#ns = 0;
    }
    return { ms: this.#ms, ns: this.#ns };
  }
}

function toTimestamp(nanoseconds: bigint): Timestamp {
  const ns = BigInt.asIntN(64, nanoseconds) % 1_000_000n;
  return { ms: Number((nanoseconds - ns) / 1_000_000n), ns: Number(ns) };
}

/** The id of a metric in Job Monitor; `worker` only where a job has several. */
export function metricId(measurement: string, tags: JsonObject = {}, worker?: number): string {
  return createHash('md5')
    .update(metricIdText(measurement, tags, worker))
    .digest('hex');
}
