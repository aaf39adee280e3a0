import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { messageOf } from '../core/errors.ts';

export interface EventOptions<Listener, News> {
  /** More are refused: see `isFull`. */
  readonly most: number;
  /** Whoever reads slower than this is let go, and comes again. */
  readonly mostWaitingBytes: number;
  /** Called when the first one listens: gives what looks for news, every second while somebody does. */
  begin(): () => Promise<News>;
  /** The events that this listener is told; '' for none. */
  text(news: News, listener: Listener): string;
  /** Told now and then while looking fails. */
  failed(reason: string): void;
}

const LOOK_MS = 1_000;
/** A comment now and then shows both sides that the other is there. */
const SIGN_EVERY = 15;

/** Answers that stay open: server-sent events for many listeners, looked for once for all of them. */
export class EventStreams<Listener, News> {
  readonly #options: EventOptions<Listener, News>;
  readonly #streams = new Map<Readable, Listener>();
  #look: (() => Promise<void>) | undefined;
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
    stream.on('close', () => this.#forget(stream));
    // Before the first event, so that a client knows that it listens.
    stream.push('retry: 2000\n\n');
    this.#look ??= this.#looking();
    this.#timer ??= setInterval(this.#look, LOOK_MS);
    void this.#look();
    return reply.type('text/event-stream').header('cache-control', 'no-store').send(stream);
  }

  end(): void {
    for (const stream of this.#streams.keys()) stream.push(null);
    clearInterval(this.#timer);
  }

  #forget(stream: Readable): void {
    this.#streams.delete(stream);
    if (this.count > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#look = undefined;
  }

  #looking(): () => Promise<void> {
    const read = this.#options.begin();
    let [isUnderWay, looks] = [false, 0];
    return async () => {
      if (isUnderWay) return;
      isUnderWay = true;
      const isSign = looks++ % SIGN_EVERY === 0;
      try {
        const news = await read();
        for (const [stream, listener] of this.#streams) {
          this.#tell(stream, `${isSign ? ':\n\n' : ''}${this.#options.text(news, listener)}`);
        }
      } catch (error) {
        if (isSign) this.#options.failed(messageOf(error));
      }
      isUnderWay = false;
    };
  }

  #tell(stream: Readable, text: string): void {
    if (stream.readableLength > this.#options.mostWaitingBytes) stream.destroy();
    else if (text !== '') stream.push(text);
  }
}
