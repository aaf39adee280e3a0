/** What became of lines. Refused: sending them again would not help. Failed: it may. */
export type Delivery =
  | { readonly state: 'delivered' }
  /** `lines`: how many of them, where others were taken; absent: all. */
  | { readonly state: 'refused'; readonly message: string; readonly lines?: number }
  | { readonly state: 'failed'; readonly message: string };

/** What takes line protocol: a server, a socket, a store. Does not throw. */
export interface LineSink {
  send(lines: readonly string[]): Promise<Delivery>;
}
