export interface ServerOptions {
  /** Absolute. */
  readonly home: string;
  /** Only names of this machine are accepted as Host, so that no foreign page can reach it through DNS. */
  readonly isLoopback: boolean;
  /** Required on every page but /health; absent: everybody who reaches the server may read. */
  readonly token?: string;
  /** Required for writes, even when everybody may read. */
  readonly writeToken?: string;
  /** Readers need a token although the server has none of its own: one that `nightmark token` made. */
  readonly asksReaders?: boolean;
  /** Nothing can be changed, whatever token is presented. */
  readonly isReadOnly?: boolean;
  /** Of the program, for the description of the API. */
  readonly version?: string;
}
