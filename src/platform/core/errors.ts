/** What a person can do about an error. Every user-facing failure carries one. */
interface ErrorDetails {
  hint?: string;
  cause?: unknown;
}

/**
 * The only error type users see. `code` is stable and documented; anything that
 * is not a NightmarkError is a bug in us and is printed with its stack.
 */
export class NightmarkError extends Error {
  /**
   * By its name and code: a module of a user brings the core of the package that lies beside it, which need not be the
   * copy that runs.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a class that extends this one asks for itself
    if (this !== NightmarkError)
      // biome-ignore lint/complexity/noThisInStatic: as above
      return Function.prototype[Symbol.hasInstance].call(this, value);
    return value instanceof Error && value.name === 'NightmarkError' && 'code' in value;
  }

  override readonly name = 'NightmarkError';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, { hint, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}

/** The message of anything that was thrown, for a status or a log line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a problem in a definition is, and where. `check` shows all of them. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly hint?: string;
}
