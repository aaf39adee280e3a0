export interface ServerOptions {
  /** Absolute. */
  readonly home: string;
  /** Only names of this machine are accepted as Host, so that no foreign page can reach it through DNS. */
  readonly isLoopback: boolean;
  /** Asked for on every page but /health; absent: whoever reaches the server may read. */
  readonly token?: string;
  /** Asked for where something is written, even when everybody may read. */
  readonly writeToken?: string;
  /** Readers need a token although the server has none of its own: one that `nightmark token` made. */
  readonly asksReaders?: boolean;
  /** Nobody changes anything, whatever token is shown. */
  readonly isReadOnly?: boolean;
  /** Of the program, for the description of the API. */
  readonly version?: string;
}
