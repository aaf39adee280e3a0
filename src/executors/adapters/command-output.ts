import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { OutputListener } from '../core/executor.ts';

/**
 * Passes what a child prints to its log and to the listener. Returns what waits until the listener has taken everything:
 * a slow listener stops the reading, and so, when its pipe is full, the program.
 */
export function captureOutput(
  { stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>,
  log: LogFile,
  onOutput: OutputListener | undefined,
): () => Promise<unknown> {
  const held = new Set<Promise<void>>();
  const capture = (pipe: Readable | null, name: 'stdout' | 'stderr') => {
    pipe?.on('data', (chunk: Buffer) => {
      log.add(chunk, name === 'stdout');
      const slow = onOutput?.(name, chunk);
      if (!slow) return;
      pipe.pause();
      const gone = slow.then(() => {
        held.delete(gone);
        pipe.resume();
      });
      held.add(gone);
    });
  };
  capture(stdout, 'stdout');
  capture(stderr, 'stderr');
  return () => Promise.all(held);
}

const HEAD_BYTES = 16 * 1024 * 1024;
const TAIL_BYTES = 1024 * 1024;
const STDOUT_BYTES = 256 * 1024 * 1024;

/**
 * The log of a command: the first 16 MiB as they come, then only the last MiB, so that an endless log fills neither
 * disk nor memory. A command that prints nothing leaves no log. A disk that is full costs the log, not the command: the stage's result will say so.
 */
export class LogFile {
  readonly #path: string;
  readonly #stdout: number | undefined;
  #file: number | undefined;
  #bytes = 0;
  #stdoutBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #isBroken = false;

  constructor(path: string, stdoutPath: string | undefined) {
    this.#path = path;
    this.#stdout = stdoutPath === undefined ? undefined : open(stdoutPath);
  }

  add(chunk: Buffer, isStdout: boolean): void {
    // Most scripts are silent: a log file comes into being with its first byte.
    if (this.#bytes === 0) this.#file = open(this.#path);
    const room = Math.max(0, HEAD_BYTES - this.#bytes);
    this.#bytes += chunk.length;
    if (room > 0) this.#write(this.#file, chunk.subarray(0, room));
    if (chunk.length > room) this.#keep(chunk.subarray(room));
    if (isStdout && this.#stdout !== undefined && this.#stdoutBytes < STDOUT_BYTES) {
      this.#write(this.#stdout, chunk.subarray(0, STDOUT_BYTES - this.#stdoutBytes));
      this.#stdoutBytes += chunk.length;
    }
  }

  /** Writes what is still to write; returns how many bytes the command printed. */
  close(): number {
    const left = this.#bytes - HEAD_BYTES - this.#tailBytes;
    if (left > 0) this.#write(this.#file, Buffer.from(`\n[... ${left} bytes left out ...]\n`));
    for (const chunk of this.#tail) this.#write(this.#file, chunk);
    for (const file of [this.#file, this.#stdout]) if (file !== undefined) fs.closeSync(file);
    return this.#bytes;
  }

  #keep(chunk: Buffer): void {
    this.#tail.push(Buffer.from(chunk));
    this.#tailBytes += chunk.length;
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= TAIL_BYTES) {
      this.#tailBytes -= this.#tail.shift()?.length ?? 0;
    }
  }

  #write(file: number | undefined, chunk: Buffer): void {
    if (file === undefined || this.#isBroken || chunk.length === 0) return;
    try {
      fs.writeSync(file, chunk);
    } catch {
      this.#isBroken = true;
    }
  }
}

function open(path: string): number | undefined {
  try {
    fs.mkdirSync(dirname(path), { recursive: true });
    return fs.openSync(path, 'w');
  } catch {
    return undefined;
  }
}
