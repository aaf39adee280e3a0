/** What a problem in a definition is, and where. `check` shows all of them. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly hint?: string;
}
