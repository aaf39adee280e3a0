/** What is known of a commit beside its hash. Text by others. */
export interface CommitFacts {
  readonly subject?: string;
  readonly author?: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** A page that shows it: an http or https address. */
  readonly link?: string;
}
