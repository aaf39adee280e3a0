/** What the thread is started with. */
export interface ThreadOptions {
  readonly address: string;
  readonly port: number;
  readonly family: 4 | 6;
}

/** What the thread says: once where it listens or why not, then packets, one after the other in one piece of memory. */
export type ThreadMessage =
  | { readonly kind: 'listening'; readonly port: number; readonly bufferBytes: number }
  | { readonly kind: 'failed'; readonly error: { readonly code?: string; readonly message: string } }
  | {
      readonly kind: 'packets';
      readonly bytes: Uint8Array;
      readonly lengths: Uint32Array;
      readonly lost: number;
    };

/** What the thread is told: that packets were handed on, or to end. */
export type ThreadOrder = { readonly kind: 'handed-on'; readonly bytes: number } | { readonly kind: 'close' };
