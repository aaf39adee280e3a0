import type { JobLogEntry } from './job.ts';

/** The used part of TextDecoder: chunks may end within a character. */
export interface StreamDecoder {
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

/** Longer lines are split, so that one line does not fill a page or a table row. */
const LINE_LENGTH = 16 * 1024;

/**
 * Splits the output of one rank into log entries, one per line, without blank lines and trailing space. Leading space
 * stays: it shapes a traceback. Of a line that is rewritten with carriage returns (a progress bar) only the last state counts.
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

  /** Number of buffered characters. */
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

  /** Takes the complete lines. */
  take(): readonly JobLogEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    this.#length = 0;
    return entries;
  }

  /** Takes the rest, including unterminated lines. */
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
