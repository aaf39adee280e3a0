/** A system that points are mirrored to, as `metrics.forward` of a home says. */
export interface ForwardTarget {
  /** Names its buffer on disk and its counters. */
  readonly name: string;
  /** Id of the forwarder: influx, prometheus. */
  readonly to: string;
  readonly url: string;
  /** Where points go in a system with databases; absent: the database they came to. */
  readonly database?: string;
  readonly only: ForwardRule;
  readonly bufferBytes: number;
  /** Names of environment variables; their values are in no file. */
  readonly userEnv?: string;
  readonly passwordEnv?: string;
  readonly tokenEnv?: string;
}

/** What is mirrored: all that is absent counts as "any". `*` stands for any characters. */
export interface ForwardRule {
  readonly databases?: readonly string[];
  readonly measurements?: readonly string[];
  /** By key; a point must have all of them. */
  readonly tags?: Readonly<Record<string, readonly string[]>>;
}
