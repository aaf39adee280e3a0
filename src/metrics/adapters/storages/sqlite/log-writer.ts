import { close, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writevSync } from 'node:fs';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { LogRecord } from '../../../core/points/point-storage.ts';
import { segmentFile, toFrame } from './log-segments.ts';

export interface LogWriterOptions {
  readonly folder: string;
  /** Number of the next record. */
  readonly next: number;
  /** 0: every record is synced to disk before it is acknowledged. */
  readonly syncEveryMs: number;
}

/** A segment of this size is closed, so that flushed segments can be deleted and one fits into memory. */
const SEGMENT_BYTES = 16 * 1024 ** 2;

/**
 * Appends to the newest segment. The kernel has a record when it is acknowledged, so a killed process loses nothing; it is
 * synced to disk at most `syncEveryMs` later, which is what a power failure can lose.
 */
export class LogWriter {
  readonly #options: LogWriterOptions;
  #next: number;
  #open: { readonly fd: number; size: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Full segments that are being synced to disk. */
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
    this.#throwFailure();
    const number = this.#next;
    const segment = this.#segment();
    const frame = toFrame(record, number);
    const size = frame[0].length + frame[1].length;
    try {
      if (writevSync(segment.fd, frame, segment.size) < size)
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      if (this.#options.syncEveryMs === 0) fdatasyncSync(segment.fd);
    } catch (cause) {
      // A partial record would hide those that come after it.
      ftruncateSync(segment.fd, segment.size);
      throw failed(this.#options.folder, cause);
    }
    segment.size += size;
    this.#next++;
    this.#syncLater(segment.fd);
    return number;
  }

  /** The next record begins a new segment. The sync of the old one is not awaited: a failure is thrown later. */
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

  /** Everything is synced to disk afterwards. */
  async close(): Promise<void> {
    this.roll();
    await Promise.all(this.#rolled);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure === undefined) return;
    const cause = this.#failure;
    this.#failure = undefined;
    throw failed(this.#options.folder, cause);
  }

  #segment(): { readonly fd: number; size: number } {
    if (this.#open && this.#open.size >= SEGMENT_BYTES) this.roll();
    if (!this.#open) {
      // Never an existing file: a torn end of an older process stays the end of its file.
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
          : 'Check the disk and its permissions.',
      cause,
    },
  );
}
