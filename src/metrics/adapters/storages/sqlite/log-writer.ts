import { close, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writevSync } from 'node:fs';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { LogRecord } from '../../../core/points/point-storage.ts';
import { segmentFile, toFrame } from './log-segments.ts';

export interface LogWriterOptions {
  readonly folder: string;
  /** Number of the next record. */
  readonly next: number;
  /** 0: every record is on the disk, not only with the kernel, before it is acknowledged. */
  readonly syncEveryMs: number;
}

/** A larger log file is followed by another one, so that what is settled can be deleted and one fits into memory. */
const SEGMENT_BYTES = 16 * 1024 ** 2;

/**
 * Appends to the newest segment. A record is with the kernel when it is acknowledged, so the death of the process loses
 * nothing; it is on the disk at most `syncEveryMs` later, which is what a power cut can take.
 */
export class LogWriter {
  readonly #options: LogWriterOptions;
  #next: number;
  #open: { readonly fd: number; size: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Segments that are full and on their way to the disk. */
  readonly #rolled = new Set<Promise<void>>();
  #failure: unknown;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#next = options.next;
  }

  get last(): number {
    return this.#next - 1;
  }

  append(record: LogRecord): number {
    this.#tellFailure();
    const number = this.#next;
    const segment = this.#segment();
    const frame = toFrame(record, number);
    const size = frame[0].length + frame[1].length;
    try {
      if (writevSync(segment.fd, frame, segment.size) < size)
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      if (this.#options.syncEveryMs === 0) fdatasyncSync(segment.fd);
    } catch (cause) {
      // Half a record would hide those that come after it.
      ftruncateSync(segment.fd, segment.size);
      throw failed(this.#options.folder, cause);
    }
    segment.size += size;
    this.#next++;
    this.#syncLater(segment.fd);
    return number;
  }

  /** The next record begins a new segment. Nobody waits until the old one is on the disk: a failure is told later. */
  roll(): void {
    if (!this.#open) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { fd } = this.#open;
    this.#open = undefined;
    const rolled = new Promise<void>((resolve) => {
      fdatasync(fd, (failure) => {
        this.#failure ??= failure ?? undefined;
        close(fd, () => resolve());
      });
    });
    this.#rolled.add(rolled);
    void rolled.then(() => this.#rolled.delete(rolled));
  }

  /** All of it is on the disk afterwards. */
  async close(): Promise<void> {
    this.roll();
    await Promise.all(this.#rolled);
    this.#tellFailure();
  }

  #tellFailure(): void {
    if (this.#failure === undefined) return;
    const cause = this.#failure;
    this.#failure = undefined;
    throw failed(this.#options.folder, cause);
  }

  #segment(): { readonly fd: number; size: number } {
    if (this.#open && this.#open.size >= SEGMENT_BYTES) this.roll();
    if (!this.#open) {
      // Never appended to what is there: a torn end of an older process stays the end of its file.
      const fd = openSync(segmentFile(this.#options.folder, this.#next), 'w', 0o600);
      this.#open = { fd, size: fstatSync(fd).size };
    }
    return this.#open;
  }

  #syncLater(fd: number): void {
    if (this.#timer || this.#options.syncEveryMs === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#open?.fd === fd) fdatasync(fd, () => undefined);
    }, this.#options.syncEveryMs);
    this.#timer.unref();
  }
}

function failed(folder: string, cause: unknown): NightmarkError {
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  return new NightmarkError(
    'POINTS_LOG_FAILED',
    `Points cannot be written to ${folder} (${code || message}).`,
    {
      hint:
        code === 'ENOSPC'
          ? 'The disk is full: free some space. What was acknowledged is kept.'
          : 'Look after the disk and its permissions.',
      cause,
    },
  );
}
