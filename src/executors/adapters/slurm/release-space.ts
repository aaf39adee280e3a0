import { spawn } from 'node:child_process';

/** A log that is written anew takes 16 MiB from the beginning, and a MiB and a piece from the end (see LogFile). */
const HEAD_BYTES = 16 * 1024 * 1024;
const TAIL_BYTES = 4 * 1024 * 1024;
/** A copy of stdout alone is kept up to here. */
const STDOUT_BYTES = 256 * 1024 * 1024;
const STEP_BYTES = 16 * 1024 * 1024;

/**
 * Gives disk space of an output file back while its program still writes: what nobody will read again becomes a hole,
 * which reads as zeros and counts in the size. An endless printer so holds a few megabytes, not the disk. Where the
 * file system has no holes (NFS before 4.2), the file stays whole.
 */
export class SpaceRelease {
  readonly #file: string;
  #from: number;
  #isIdle = true;

  constructor(file: string, hasCopy: boolean) {
    this.#file = file;
    this.#from = hasCopy ? STDOUT_BYTES : HEAD_BYTES;
  }

  /** Bytes before `done` were carried away, and are known to be. */
  upTo(done: number): void {
    const [offset, length] = [this.#from, done - TAIL_BYTES - this.#from];
    if (!this.#isIdle || length < STEP_BYTES) return;
    this.#isIdle = false;
    const args = ['--punch-hole', `--offset=${offset}`, `--length=${length}`, this.#file];
    const child = spawn('fallocate', args, { stdio: 'ignore' });
    child.on('error', () => {}); // Not installed: never idle again, nothing more is tried.
    child.on('exit', (code) => {
      this.#isIdle = code === 0;
      this.#from = offset + length;
    });
  }
}
