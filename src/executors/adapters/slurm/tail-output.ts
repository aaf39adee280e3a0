import { spawn } from 'node:child_process';
import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../../core/executor.ts';
import type { LogFile } from '../command-output.ts';
import { stagingOf } from './staging.ts';

const PIECE_BYTES = 256 * 1024;
/** Then others have their turn: the output of a program that never stops printing must still be recorded and released, and its job cancelled. */
const PIECES_AT_ONCE = 64;
/** Offsets are recorded this late, so that the listener has kept what it was given by then. */
const RECORD_EVERY_MS = 2_000;
const STREAMS = ['stdout', 'stderr'] as const;

type Offsets = Readonly<Record<(typeof STREAMS)[number], number>>;

/** Passes the output files of a command to its log and to the listener, while it runs. */
export class OutputTail {
  readonly #command: Command;
  readonly #log: LogFile;
  readonly #files = new Map<string, FileHandle>();
  readonly #piece = Buffer.allocUnsafe(PIECE_BYTES);
  #read: Offsets = { stdout: 0, stderr: 0 };
  /** The listener got the bytes before these from an earlier process of ours. */
  #delivered: Offsets = { stdout: 0, stderr: 0 };
  /** Recorded: a later process continues from here. */
  #recorded: Offsets = { stdout: 0, stderr: 0 };
  #toRecord: Offsets | undefined;
  #recordedAt = 0;
  readonly #space: Readonly<Record<(typeof STREAMS)[number], SpaceRelease>>;

  constructor(command: Command, log: LogFile) {
    this.#command = command;
    this.#log = log;
    const file = (stream: string) => join(stagingOf(command), stream);
    this.#space = {
      stdout: new SpaceRelease(file('stdout'), command.stdoutFile !== undefined),
      stderr: new SpaceRelease(file('stderr'), false),
    };
  }

  /** The log is written again from its first byte; the listener continues where an earlier process was. */
  async resume(): Promise<void> {
    try {
      const text = await readFile(join(stagingOf(this.#command), 'heard'), 'utf8');
      const [stdout = 0, stderr = 0] = text.split(' ').map(Number);
      this.#delivered = { stdout, stderr };
    } catch {
      // nothing was delivered yet
    }
  }

  /** Reads what is new; true when there was something. */
  async read(): Promise<boolean> {
    let hasMoved = false;
    for (const stream of STREAMS) if (await this.#readStream(stream)) hasMoved = true;
    if (this.#command.onOutput) await this.#record();
    const done = this.#command.onOutput ? this.#recorded : this.#read;
    for (const stream of STREAMS) this.#space[stream].upTo(done[stream]);
    return hasMoved;
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await file.close();
    this.#files.clear();
  }

  async #readStream(stream: (typeof STREAMS)[number]): Promise<boolean> {
    const file = await this.#open(stream);
    if (!file) return false;
    for (let count = 0; count < PIECES_AT_ONCE; count++) {
      const at = this.#read[stream];
      const { bytesRead } = await file.read(this.#piece, 0, PIECE_BYTES, at);
      if (bytesRead === 0) return count > 0;
      const bytes = this.#piece.subarray(0, bytesRead);
      this.#log.add(bytes, stream === 'stdout');
      this.#read = { ...this.#read, [stream]: at + bytesRead };
      const known = Math.max(0, this.#delivered[stream] - at);
      if (known < bytesRead) await this.#command.onOutput?.(stream, Uint8Array.from(bytes.subarray(known)));
    }
    return true;
  }

  async #open(stream: string): Promise<FileHandle | undefined> {
    const known = this.#files.get(stream);
    if (known) return known;
    try {
      const file = await open(join(stagingOf(this.#command), stream), 'r');
      this.#files.set(stream, file);
      return file;
    } catch {
      return undefined; // not there yet
    }
  }

  async #record(): Promise<void> {
    const now = performance.now();
    if (now - this.#recordedAt < RECORD_EVERY_MS) return;
    this.#recordedAt = now;
    const { stdout, stderr } = this.#toRecord ?? this.#delivered;
    this.#toRecord = this.#read;
    const file = join(stagingOf(this.#command), 'heard');
    await writeFile(file, `${stdout} ${stderr}`).then(
      () => {
        this.#recorded = { stdout, stderr };
      },
      () => {}, // The disk is full, or the folder gone: a later process delivers more again.
    );
  }
}

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
class SpaceRelease {
  readonly #file: string;
  #from: number;
  #isIdle = true;

  constructor(file: string, hasCopy: boolean) {
    this.#file = file;
    this.#from = hasCopy ? STDOUT_BYTES : HEAD_BYTES;
  }

  /** Bytes before `done` were delivered, and this is recorded. */
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
