/** What became of a batch. Refused: sending it again would not help. Failed: it may. */
export type Delivery =
  | { readonly state: 'delivered' }
  | { readonly state: 'refused' | 'failed'; readonly message: string };

/** The way to a receiver of line protocol. Nothing of it throws, and nothing of it keeps a process alive. */
export interface LineSender {
  /** What a batch should hold at most; a single line may be longer. */
  readonly batchBytes: number;
  /** What a line may be at most. */
  readonly lineBytes: number;
  /** Whether it makes sense to send again what failed. */
  readonly canRetry: boolean;
  send(text: string): Promise<Delivery>;
  /** True while `sendNow` is possible. */
  readonly isReady: boolean;
  /** Sends without waiting: for the last moment of a process, and for loops that never wait. */
  sendNow(text: string, done: (delivery: Delivery) => void): void;
  close(): void;
}
