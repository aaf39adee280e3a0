import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../../core/executor.ts';
import { CONTAINER } from '../../core/kubernetes/kube-manifest.ts';
import { LogFile } from '../command-output.ts';
import { ApiError, type KubeApi } from './kube-api.ts';
import { podsPath } from './kube-connection.ts';

export interface FollowedPod {
  readonly namespace: string;
  readonly name: string;
  /** Whether its program has ended. */
  hasEnded(): boolean;
  /** Resolves when it has, or the pod is gone. */
  readonly ended: Promise<unknown>;
}

export type TakeOutput = (bytes: Buffer) => void | Promise<void>;

/** How often a log that cannot be read is requested after the end of the program. */
const LAST_TRIES = 10;
/** A connection that is silent for so long is opened again: a silent program and a dead node look the same. */
const SILENCE_MS = 600_000;

/**
 * Reads the log of a pod from its beginning to its end, over breaks of the connection and turns of the file. A stream
 * that began before the end may have missed something: the last one begins after it. Returns what went wrong, if it did.
 */
export async function followLog(
  api: KubeApi,
  pod: FollowedPod,
  take: TakeOutput,
): Promise<string | undefined> {
  const lines = new StampedLines();
  for (let failures = 0; ; ) {
    const isLast = pod.hasEnded();
    try {
      await readStream(api, pod, lines, take);
      if (isLast) return undefined;
      failures = 0;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404) return `the log is gone: ${error.message}`;
      failures++;
      if (isLast && failures >= LAST_TRIES) return `the log cannot be read: ${error.message}`;
    }
    // The end is reported shortly after the log ends; until then the log is requested again.
    const pauseMs = Math.min(200 * 2 ** failures, 10_000);
    await (pod.hasEnded() ? sleep(failures === 0 ? 0 : pauseMs) : Promise.race([pod.ended, sleep(pauseMs)]));
  }
}

async function readStream(
  api: KubeApi,
  { namespace, name }: FollowedPod,
  lines: StampedLines,
  take: TakeOutput,
): Promise<void> {
  const { since } = lines;
  const query = {
    container: CONTAINER,
    follow: 'true',
    timestamps: 'true',
    ...(since !== undefined && { sinceTime: since }),
  };
  const stream = await api.open(`${podsPath(namespace, name)}/log`, { query, idleMs: SILENCE_MS });
  lines.begin();
  try {
    for await (const chunk of stream) {
      const fresh = lines.take(chunk);
      if (fresh.length > 0) await take(fresh);
    }
  } catch (error) {
    throw new ApiError(0, `the log broke off: ${(error as Error).message}`);
  }
}

const NOTHING = Buffer.alloc(0);

/**
 * Takes the time stamps off the lines of a pod's log, and remembers how far it came: after a break the log is requested
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
  /** How much of the current line was given out, and how much of the next new one was so before the break. */
  #given = 0;
  #toCut = 0;

  /** The timestamp to request from, in whole seconds as the API requires; undefined: from the beginning. */
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

/** Where the output of a command goes. Nodes keep one log of both streams: all of it counts as stdout. */
export class JobOutput {
  readonly #log: LogFile;
  readonly #onOutput: Command['onOutput'];
  /** Of a command that was followed before: the log is read again, and its listener got this much of it. */
  #toSkip: number;

  constructor({ logFile, stdoutFile, onOutput }: Command, isAttached: boolean) {
    this.#toSkip = isAttached ? sizeOf(logFile) : 0;
    this.#log = new LogFile(logFile, stdoutFile);
    this.#onOutput = onOutput;
  }

  take(bytes: Buffer): void | Promise<void> {
    this.#log.add(bytes, true);
    const skipped = Math.min(this.#toSkip, bytes.length);
    this.#toSkip -= skipped;
    if (skipped < bytes.length) return this.#onOutput?.('stdout', bytes.subarray(skipped));
  }

  /** A line of ours, between the lines of the program. */
  note(text: string): void {
    const line = Buffer.from(`nightmark: ${text}\n`);
    this.#log.add(line, false);
    void this.#onOutput?.('stderr', line);
  }

  close(): number {
    return this.#log.close();
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
