import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writevSync } from 'node:fs';
import { NightmarkError } from '../../../core/errors.ts';
import type { LogRecord } from '../../../core/ports/point-shelf.ts';
import { toFrame } from './frames.ts';
import { segmentFile } from './segments.ts';

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

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#next = options.next;
  }

  get last(): number {
    return this.#next - 1;
  }

  append(record: LogRecord): number {
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

  /** The next record begins a new segment. */
  roll(): void {
    if (!this.#open) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    fdatasyncSync(this.#open.fd);
    closeSync(this.#open.fd);
    this.#open = undefined;
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
