import { statSync } from 'node:fs';
import type { Command } from '../../core/executor.ts';
import { LogFile } from '../log-file.ts';

/** Where the output of a command goes. Nodes keep one log of both streams: all of it counts as stdout. */
export class JobOutput {
  readonly #log: LogFile;
  readonly #onOutput: Command['onOutput'];
  /** Of a command that was followed before: the log is read again, and its listener has heard so much of it. */
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

  /** A word of ours, between the lines of the program. */
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
