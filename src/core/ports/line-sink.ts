/** What became of lines. Refused: sending them again would not help. Failed: it may. */
export type Delivery =
  | { readonly state: 'delivered' }
  | { readonly state: 'refused' | 'failed'; readonly message: string };

/** What takes line protocol: a server, a socket, a store. Does not throw. */
export interface LineSink {
  send(lines: readonly string[]): Promise<Delivery>;
}
