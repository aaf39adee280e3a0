/** What the sources of a task add to the environment of its scripts. */
export interface TaskSources {
  readonly env: Readonly<Record<string, string>>;
  /** Goes in front of PYTHONPATH. */
  readonly pythonPath: readonly string[];
  /** Short hashes by name. */
  readonly commits: Readonly<Record<string, string>>;
}

export const NO_SOURCES: TaskSources = { env: {}, pythonPath: [], commits: {} };
