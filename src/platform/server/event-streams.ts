import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { messageOf } from '../core/errors.ts';

export interface EventOptions<Listener, News> {
  /** More are refused: see `isFull`. */
  readonly most: number;
  /** A client that reads slower than this is disconnected, and connects again. */
  readonly mostWaitingBytes: number;
  /** Called when the first client connects: returns what reads news, every second while there are clients. */
  begin(): () => Promise<News>;
  /** The events for this listener; '' for none. */
  text(news: News, listener: Listener): string;
  /** Called now and then while reading fails. */
  failed(reason: string): void;
}

const POLL_MS = 1_000;
/** A comment now and then shows both sides that the other is there. */
const COMMENT_EVERY = 15;

/** Answers that stay open: server-sent events for many listeners, read once for all of them. */
export class EventStreams<Listener, News> {
  readonly #options: EventOptions<Listener, News>;
  readonly #streams = new Map<Readable, Listener>();
  #poll: (() => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EventOptions<Listener, News>) {
    this.#options = options;
  }

  get count(): number {
    return this.#streams.size;
  }

  get isFull(): boolean {
    return this.count >= this.#options.most;
  }

  send(reply: FastifyReply, listener: Listener): FastifyReply {
    const stream = new Readable({ read() {} });
    this.#streams.set(stream, listener);
    stream.on('close', () => this.#remove(stream));
    // Before the first event, so that a client knows that it listens.
    stream.push('retry: 2000\n\n');
    this.#poll ??= this.#polling();
    this.#timer ??= setInterval(this.#poll, POLL_MS);
    void this.#poll();
    return reply.type('text/event-stream').header('cache-control', 'no-store').send(stream);
  }

  end(): void {
    for (const stream of this.#streams.keys()) stream.push(null);
    clearInterval(this.#timer);
  }

  #remove(stream: Readable): void {
    this.#streams.delete(stream);
    if (this.count > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#poll = undefined;
  }

  #polling(): () => Promise<void> {
    const read = this.#options.begin();
    let [isReading, polls] = [false, 0];
    return async () => {
      if (isReading) return;
      isReading = true;
      const hasComment = polls++ % COMMENT_EVERY === 0;
      try {
        const news = await read();
        for (const [stream, listener] of this.#streams) {
          this.#push(stream, `${hasComment ? ':\n\n' : ''}${this.#options.text(news, listener)}`);
        }
      } catch (error) {
        if (hasComment) this.#options.failed(messageOf(error));
      }
      isReading = false;
    };
  }

  #push(stream: Readable, text: string): void {
    if (stream.readableLength > this.#options.mostWaitingBytes) stream.destroy();
    else if (text !== '') stream.push(text);
  }
}
