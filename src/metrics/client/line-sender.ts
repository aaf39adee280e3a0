import type { Delivery } from '../core/lines/line-sink.ts';

/** The way to a receiver of line protocol. Nothing of it throws, and nothing of it keeps a process alive. */
export interface LineSender {
  /** What a batch should hold at most; a single line may be longer. */
  readonly batchBytes: number;
  /** What a line may be at most. */
  readonly lineBytes: number;
  /** Whether it makes sense to send again what failed. */
  readonly canRetry: boolean;
  send(text: string): Promise<Delivery>;
  /** Makes ready what `sendNow` needs. */
  prepare(): void;
  /** True while `sendNow` is possible. */
  readonly isReady: boolean;
  /** Sends without waiting: for the last moment of a process, and for loops that never wait. */
  sendNow(text: string, done: (delivery: Delivery) => void): void;
  close(): void;
}
