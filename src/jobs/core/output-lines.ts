import type { JobLogEntry } from './job.ts';

/** What we need of a TextDecoder: bytes may end within a letter. */
export interface StreamDecoder {
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

/** What comes after is another entry: one line must not fill a page, or a row of a table. */
const LINE_LENGTH = 16 * 1024;

/**
 * Cuts what one rank prints into log entries: one a line, blank ones left out, what stands behind the last letter stripped (in front it may be a traceback's shape). Of a line that is written
 * over and over with carriage returns (a progress bar) only the last state counts.
 */
export class OutputLines {
  readonly #worker: number;
  readonly #rests = { stdout: '', stderr: '' };
  readonly #decoders: { readonly stdout: StreamDecoder; readonly stderr: StreamDecoder };
  #entries: JobLogEntry[] = [];
  #length = 0;

  constructor(worker: number, decoder: () => StreamDecoder) {
    this.#worker = worker;
    this.#decoders = { stdout: decoder(), stderr: decoder() };
  }

  /** Letters that wait to be taken. */
  get length(): number {
    return this.#length;
  }

  add(stream: 'stdout' | 'stderr', bytes: Uint8Array, time: number): void {
    const lines = (this.#rests[stream] + this.#decoders[stream].decode(bytes, { stream: true })).split('\n');
    let rest = lines.pop() ?? '';
    for (const line of lines) this.#push(stream, line, time);
    // Only what follows the last carriage return can still become the line.
    const turn = rest.lastIndexOf('\r', rest.length - 2);
    if (turn >= 0) rest = rest.slice(turn + 1);
    while (rest.length > LINE_LENGTH) {
      this.#push(stream, rest.slice(0, LINE_LENGTH), time);
      rest = rest.slice(LINE_LENGTH);
    }
    this.#rests[stream] = rest;
  }

  /** What is whole so far. */
  take(): readonly JobLogEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    this.#length = 0;
    return entries;
  }

  /** With the lines that never got an end. */
  finish(time: number): readonly JobLogEntry[] {
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#push(stream, this.#rests[stream] + this.#decoders[stream].decode(), time);
      this.#rests[stream] = '';
    }
    return this.take();
  }

  #push(stream: 'stdout' | 'stderr', line: string, time: number): void {
    const states = line.split('\r').filter((state) => state.trim() !== '');
    const message = states.at(-1)?.trimEnd() ?? '';
    if (message === '') return;
    for (let start = 0; start < message.length; start += LINE_LENGTH) {
      const piece = message.slice(start, start + LINE_LENGTH);
      this.#entries.push({
        worker: this.#worker,
        type: stream === 'stderr' ? 'error' : 'info',
        message: piece,
        time,
      });
      this.#length += piece.length;
    }
  }
}
