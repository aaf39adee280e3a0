import { NightmarkError } from '../../../../platform/core/errors.ts';

export type TokenKind =
  | 'name'
  | 'quoted'
  | 'keyword'
  | 'string'
  | 'number'
  | 'integer'
  | 'duration'
  | 'regex'
  | 'sign'
  | 'bad'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As messages show it: keywords in capitals, strings without quotes. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

const KEYWORDS = new Set(
  `ALL ALTER ANALYZE AND ANY AS ASC BEGIN BY CARDINALITY CREATE CONTINUOUS DATABASE DATABASES DEFAULT DELETE DESC
  DESTINATIONS DIAGNOSTICS DISTINCT DROP DURATION END EVERY EXACT EXPLAIN FALSE FIELD FOR FROM GRANT GRANTS GROUP GROUPS
  IN INF INSERT INTO KEY KEYS KILL LIMIT MEASUREMENT MEASUREMENTS NAME OFFSET ON OR ORDER PASSWORD POLICY POLICIES
  PRIVILEGES QUERIES QUERY READ REPLICATION RESAMPLE RETENTION REVOKE SELECT SERIES SET SHARD SHARDS SHOW SLIMIT SOFFSET STATS
  SUBSCRIPTION SUBSCRIPTIONS TAG TO TRUE USER USERS VALUES WHERE WITH WRITE`.split(/\s+/),
);

const SPACE = /(?:\s+|--[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)/y;
const DURATION = /(?:\d+(?:ns|ms|u|µ|s|m|h|d|w))+/y;
const SIGN = /::|=~|!~|!=|<>|<=|>=|[-+*/%&|^()=<>,;.:]/y;
const REGEX = /\/((?:[^/\\\n]|\\.)*)\//y;

/** Reads one token from `from` on. A slash begins a regular expression only where the grammar allows one. */
function readToken(text: string, from: number, mayBePattern: boolean): Token {
  const at = from + (take(mayBePattern ? /(?:\s+|--[^\n]*)*/y : SPACE, text, from)?.length ?? 0);
  const first = text[at];
  if (first === undefined) {
    // Strings and what follows them are one to the left in InfluxDB's count.
    return { kind: 'end', text: 'EOF', at: /["']$/.test(text.slice(0, at)) ? at : at + 1, end: at };
  }
  const token = (kind: TokenKind, raw: string, shown = raw): Token => ({
    kind,
    text: shown,
    at: kind === 'string' || kind === 'quoted' || kind === 'regex' || kind === 'bad' ? at - 1 : at,
    end: at + raw.length,
  });
  if (first === '"' || first === "'") return readQuoted(text, at, token);
  const pattern = mayBePattern && first === '/' ? take(REGEX, text, at) : undefined;
  if (pattern !== undefined) return token('regex', pattern, pattern.slice(1, -1).replaceAll('\\/', '/'));
  const name = take(NAME, text, at);
  if (name !== undefined) {
    const upper = name.toUpperCase();
    return KEYWORDS.has(upper) ? token('keyword', name, upper) : token('name', name);
  }
  const duration = take(DURATION, text, at);
  if (duration !== undefined) return token('duration', duration);
  const number = take(NUMBER, text, at);
  if (number !== undefined) return token(/^\d+$/.test(number) ? 'integer' : 'number', number);
  const sign = take(SIGN, text, at);
  return sign === undefined ? token('bad', first) : token('sign', sign === '<>' ? '!=' : sign, sign);
}

function readQuoted(
  text: string,
  at: number,
  token: (kind: TokenKind, raw: string, shown: string) => Token,
): Token {
  const quote = text[at];
  let shown = '';
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i];
    if (char === quote) return token(quote === '"' ? 'quoted' : 'string', text.slice(at, i + 1), shown);
    if (char === '\n' || char === '\0') break;
    if (char !== '\\') {
      shown += char;
      continue;
    }
    const next = text[++i];
    if (next === 'n') shown += '\n';
    else if (next === '\\' || next === '"' || next === "'") shown += next;
    else return token('bad', text.slice(at, i + 1), `\\${next ?? ''}`);
  }
  return token('bad', text.slice(at), shown);
}

function take(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Line and column as InfluxDB counts them. */
export function placeOf(text: string, at: number): string {
  const before = text.slice(0, Math.max(at, 0));
  const line = before.split('\n').length;
  return `at line ${line}, char ${at - (before.lastIndexOf('\n') + 1) + 1}`;
}

export function syntaxError(message: string): NightmarkError {
  return new NightmarkError('QUERY_SYNTAX', `error parsing query: ${message}`, {
    hint: 'docs/reference/influxql.md lists what is supported.',
  });
}

export function queryError(
  message: string,
  hint = 'docs/reference/influxql.md lists what is supported.',
): NightmarkError {
  return new NightmarkError('QUERY_REFUSED', message, { hint });
}

/** Reads a query token by token, with one token of lookahead. */
export class TokenReader {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get at(): number {
    return this.#at;
  }

  peek(mayBePattern = false): Token {
    return readToken(this.text, this.#at, mayBePattern);
  }

  next(mayBePattern = false): Token {
    const token = this.peek(mayBePattern);
    this.#at = token.end;
    return token;
  }

  is(text: string): boolean {
    const token = this.peek();
    return (token.kind === 'keyword' || token.kind === 'sign') && token.text === text;
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  need(text: string): void {
    if (!this.take(text)) throw this.unexpected(text);
  }

  /** One of these keywords, or an error that lists them all. */
  oneOf(...expected: readonly string[]): string {
    const token = this.peek();
    if (token.kind !== 'keyword' || !expected.includes(token.text))
      throw this.unexpected(expected.join(', '));
    return this.next().text;
  }

  name(): string {
    const token = this.peek();
    if (token.kind !== 'name' && token.kind !== 'quoted') throw this.unexpected('identifier');
    return this.next().text;
  }

  integer(): number {
    const token = this.peek();
    if (token.kind !== 'integer') throw this.unexpected('integer');
    return Number(this.next().text);
  }

  unexpected(expected: string, mayBePattern = false): Error {
    const token = this.peek(mayBePattern);
    return syntaxError(`found ${token.text}, expected ${expected} ${placeOf(this.text, token.at)}`);
  }
}
