import type { FastifyRequest } from 'fastify';
import { type AccessToken, SCOPES, type Scope, scopesOf } from '../../core/access-token.ts';
import type { Clock } from '../../core/clock.ts';
import type { ServerOptions } from '../server-options.ts';
import {
  type PresentedTokens,
  TokenRegistry,
  type TokenSource,
  tokenHashes,
  tokensOfClient,
  tokensOfReader,
} from './presented-tokens.ts';

/** What a request needs to be allowed to do. */
export interface AccessRequest {
  readonly scope: Scope;
  /** A program to run, for which it is not enough to reach the port of this machine: other users of it can, too. */
  readonly bringsProgram?: boolean | undefined;
}

/** Who the client is, for pages. */
export interface Session {
  /** Of the token; absent: none was needed. */
  readonly name?: string;
  readonly scopes: readonly Scope[];
  readonly isReadOnly: boolean;
}

/** The one place that decides who may do what. */
export class Access {
  readonly #options: ServerOptions;
  readonly #now: () => number;
  readonly #ring: TokenRegistry;
  readonly #failures = new FailureLimit();

  constructor(
    options: ServerOptions,
    { clock, tokens }: { readonly clock: Pick<Clock, 'now'>; readonly tokens?: TokenSource },
  ) {
    this.#options = options;
    this.#now = () => clock.now();
    const own = options.writeToken ?? options.token;
    this.#ring = new TokenRegistry(own === undefined ? [] : [ownToken(own)], tokens);
  }

  /** Why a request may not do what it wants; undefined when it may. */
  refusal(request: FastifyRequest, { scope, bringsProgram = false }: AccessRequest): Refusal | undefined {
    const isClient = isForClients(request);
    if ((scope !== 'read' || isClient) && isForeign(request)) return FOREIGN;
    if (scope !== 'read' && isOfOtherSite(request)) return FOREIGN;
    if (scope !== 'read' && this.#options.isReadOnly) return READ_ONLY;
    if (this.#isOpen(scope) && !bringsProgram) return undefined;
    const presented = isClient ? tokensOfClient(request) : tokensOfReader(request);
    if (presented.tokens.length === 0 && presented.seal === undefined)
      return this.#ring.isEmpty() ? NO_TOKEN : NOT_SHOWN;
    const holder = this.holder(presented, request.ip);
    if ('status' in holder) return holder;
    return scopesOf(holder.scope).includes(scope) ? undefined : tooLittle(holder.scope, scope);
  }

  /** Whose token it is. Wrong ones are counted; the cookie of a browser cannot be guessed, and expires by itself. */
  holder(presented: PresentedTokens, address: string): AccessToken | Refusal {
    const now = this.#now();
    const wait = this.#failures.waitSeconds(address, now);
    if (wait > 0 && presented.tokens.length > 0) return tooMany(wait);
    const found = this.#ring.find(presented, now);
    if (found) return found;
    if (presented.tokens.length > 0) this.#failures.count(address, now);
    return presented.tokens.length > 0 ? WRONG : NOT_SHOWN;
  }

  session(request: FastifyRequest): Session {
    const presented = tokensOfReader(request);
    const found = this.#ring.find(presented, this.#now());
    const isReadOnly = this.#options.isReadOnly === true;
    const scopes = SCOPES.filter(
      (scope) => this.#isOpen(scope) || (found && scopesOf(found.scope).includes(scope)),
    );
    return {
      ...(found && { name: found.name }),
      scopes: isReadOnly ? scopes.filter((scope) => scope === 'read') : scopes,
      isReadOnly,
    };
  }

  /** Whether everybody who reaches the server may: on this machine where no token is set, and for readers of --public. */
  #isOpen(scope: Scope): boolean {
    const { isLoopback, token, writeToken = token, asksReaders = false } = this.#options;
    if (scope === 'read') return token === undefined && !asksReaders;
    return isLoopback && writeToken === undefined && !asksReaders;
  }
}

function ownToken(token: string): AccessToken {
  return { name: 'token of the server', scope: 'admin', createdAt: 0, ...tokenHashes(token) };
}

export function isForClients({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config?.client === 'influx';
}

/** Sent by a page of another site. */
function isForeign({ headers: { origin, host } }: FastifyRequest): boolean {
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

/** An image of another site asks without an Origin; browsers say in this header where a request comes from. */
function isOfOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

/** Why a request is refused, for people and for clients of InfluxDB. */
export interface Refusal {
  readonly status: 401 | 403 | 429;
  readonly error: string;
  readonly hint: string;
  readonly influx: string;
  readonly retrySeconds?: number;
}

const FOREIGN: Refusal = {
  status: 403,
  error: 'Pages of other sites cannot change anything here',
  hint: 'Use a page of this server.',
  influx: 'forbidden: a page of another site',
};

const READ_ONLY: Refusal = {
  status: 403,
  error: 'This server is read-only',
  hint: 'It was started with --read-only and accepts no changes.',
  influx: 'forbidden: this server is read-only',
};

const NO_TOKEN: Refusal = {
  status: 403,
  error: 'This needs a token, and the server has none',
  hint: 'Make one with "nightmark token create NAME --scope write", or do it with the commands of its machine.',
  influx: 'forbidden: writing needs a token; start the server with --token-file FILE',
};

const NOT_SHOWN: Refusal = {
  status: 401,
  error: 'A token is needed',
  hint: 'Send it as "Authorization: Bearer TOKEN".',
  influx: 'unable to parse authentication credentials',
};

const WRONG: Refusal = {
  status: 401,
  error: 'Unknown token',
  hint: 'It is mistyped, has expired, or was revoked. "nightmark token list" shows those that are good.',
  influx: 'authorization failed',
};

/** The token is right, and not enough. */
function tooLittle(has: Scope, needed: Scope): Refusal {
  return {
    status: 403,
    error: `This needs a token with scope "${needed}", and yours has "${has}"`,
    hint: `Make one with "nightmark token create NAME --scope ${needed}".`,
    influx: `forbidden: the token may ${has}, and this needs ${needed}`,
  };
}

function tooMany(retrySeconds: number): Refusal {
  return {
    status: 429,
    error: 'Too many wrong tokens came from this address',
    hint: `Tokens from there are checked again in ${retrySeconds} s.`,
    influx: `too many wrong tokens; try again in ${retrySeconds} s`,
    retrySeconds,
  };
}

/** Wrong tokens from one address in one window; more are not checked. */
const MOST_FAILURES = 60;
const WINDOW_MS = 60_000;
/** Addresses that are remembered: who has many cannot fill the memory. */
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  readonly since: number;
}

/** Slows down clients that try tokens one after the other. */
export class FailureLimit {
  readonly #byAddress = new Map<string, Failures>();

  /** Seconds until tokens from this address are checked again; 0: now. */
  waitSeconds(address: string, now: number): number {
    const failures = this.#byAddress.get(address);
    if (failures === undefined || failures.count < MOST_FAILURES) return 0;
    const left = failures.since + WINDOW_MS - now;
    if (left > 0) return Math.ceil(left / 1000);
    this.#byAddress.delete(address);
    return 0;
  }

  count(address: string, now: number): void {
    const before = this.#byAddress.get(address);
    if (before !== undefined && before.since + WINDOW_MS > now) {
      before.count++;
      return;
    }
    this.#byAddress.delete(address);
    // Maps keep the order of insertion: the first one is the oldest.
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size >= MOST_ADDRESSES && oldest !== undefined) this.#byAddress.delete(oldest);
    this.#byAddress.set(address, { count: 1, since: now });
  }
}
