/** What a client may do: read, change results and jobs, or also what cannot be undone. Each includes those before it. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** A token as it is kept: never the token itself. */
export interface AccessToken {
  /** Who has it; unique. */
  readonly name: string;
  readonly scope: Scope;
  /** SHA-256 of the token, and of what a browser keeps in its place, in hexadecimal. */
  readonly hash: string;
  readonly pageHash: string;
  readonly createdAt: number;
  /** Absent: valid until it is revoked. */
  readonly expiresAt?: number;
}

export function isScope(text: unknown): text is Scope {
  return (SCOPES as readonly unknown[]).includes(text);
}

export function scopesOf(scope: Scope): readonly Scope[] {
  return SCOPES.slice(0, SCOPES.indexOf(scope) + 1);
}

export function isExpired({ expiresAt }: Pick<AccessToken, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** Tokens of a file; undefined when it is not a file of tokens. */
export function readTokens(text: string): readonly AccessToken[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { tokens } = (value ?? {}) as { readonly tokens?: unknown };
  return Array.isArray(tokens) && tokens.every(isToken) ? tokens : undefined;
}

export function writeTokens(tokens: readonly AccessToken[]): string {
  return `${JSON.stringify({ tokens }, null, 2)}\n`;
}

function isToken(value: unknown): value is AccessToken {
  const one = (value ?? {}) as Partial<Record<keyof AccessToken, unknown>>;
  const isHash = (text: unknown) => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
  return (
    typeof one.name === 'string' &&
    isScope(one.scope) &&
    isHash(one.hash) &&
    isHash(one.pageHash) &&
    typeof one.createdAt === 'number' &&
    (one.expiresAt === undefined || typeof one.expiresAt === 'number')
  );
}
