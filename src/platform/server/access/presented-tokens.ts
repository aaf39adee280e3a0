import { createHash, createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type AccessToken, isExpired } from '../../core/access-token.ts';

export const COOKIE = 'nightmark';

/** The tokens that a request presents. */
export interface PresentedTokens {
  /** Each may be one: clients differ in how they send it. */
  readonly tokens: readonly string[];
  /** What a browser keeps that has logged in. */
  readonly seal?: string;
}

/** A program shows the token in a header, a browser what it got when it logged in. */
export function tokensOfReader({ headers }: FastifyRequest): PresentedTokens {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return { tokens: [bearer] };
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const seal = cookies.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  return { tokens: [], ...(seal && { seal }) };
}

/** Clients of InfluxDB: "Bearer x", "Token x" (also "Token user:x"), Basic, and the parameters u and p. */
export function tokensOfClient({ headers, query }: FastifyRequest): PresentedTokens {
  const [, scheme = '', text = ''] = /^(Bearer|Token|Basic) +(.+)$/i.exec(headers.authorization ?? '') ?? [];
  const parameter = (query as Record<string, unknown>)['p'];
  const isBasic = scheme.toLowerCase() === 'basic';
  const shown = isBasic ? Buffer.from(text, 'base64').toString() : text;
  const colon = shown.indexOf(':');
  const tokens = isBasic ? [] : [shown];
  if (colon >= 0) tokens.push(shown.slice(colon + 1));
  if (typeof parameter === 'string') tokens.push(parameter);
  return { tokens: tokens.filter((one) => one !== '') };
}

/** Tokens that may change while the server runs; the same list as long as they have not. */
export interface TokenSource {
  current(): readonly AccessToken[];
}

/** Finds the holder of a token among those of the server itself and those that were made for it. */
export class TokenRegistry {
  readonly #own: readonly AccessToken[];
  readonly #source: TokenSource | undefined;
  #known: readonly AccessToken[] | undefined;
  #byHash = new Map<string, AccessToken>();
  #byPageHash = new Map<string, AccessToken>();

  constructor(own: readonly AccessToken[], source: TokenSource | undefined) {
    this.#own = own;
    this.#source = source;
  }

  isEmpty(): boolean {
    this.#refresh();
    return this.#byHash.size === 0;
  }

  find({ tokens, seal }: PresentedTokens, now: number): AccessToken | undefined {
    this.#refresh();
    const found = [
      ...tokens.map((token) => this.#byHash.get(hashOf(token))),
      seal === undefined ? undefined : this.#byPageHash.get(hashOf(seal)),
    ];
    return found.find((one) => one !== undefined && !isExpired(one, now));
  }

  #refresh(): void {
    const current = this.#source?.current() ?? NONE;
    if (current === this.#known) return;
    this.#known = current;
    const all = [...current, ...this.#own];
    this.#byHash = new Map(all.map((one) => [one.hash, one]));
    this.#byPageHash = new Map(all.map((one) => [one.pageHash, one]));
  }
}

const NONE: readonly AccessToken[] = [];

/** A lookup by hash takes a time that depends on neither the length nor the beginning of the token. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What a browser keeps in the place of the token: it proves the token without being it. */
export function pageSeal(token: string): string {
  return createHmac('sha256', token).update('nightmark page').digest('base64url');
}

/** What is kept of a token. */
export function tokenHashes(token: string): { readonly hash: string; readonly pageHash: string } {
  return { hash: hashOf(token), pageHash: hashOf(pageSeal(token)) };
}
