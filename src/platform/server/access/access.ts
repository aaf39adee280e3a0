import type { FastifyRequest } from 'fastify';
import { type AccessToken, SCOPES, type Scope, scopesOf } from '../../core/access-token.ts';
import type { Clock } from '../../core/clock.ts';
import type { ServerOptions } from '../options.ts';
import { FailureLimit } from './failure-limit.ts';
import {
  FOREIGN,
  NO_TOKEN,
  NOT_SHOWN,
  READ_ONLY,
  type Refusal,
  tooLittle,
  tooMany,
  WRONG,
} from './refusal.ts';
import { type ShownTokens, tokensOfClient, tokensOfReader } from './shown-tokens.ts';
import { tokenHashes } from './token-hash.ts';
import { TokenRing, type TokenSource } from './token-ring.ts';

/** What a request wants to do. */
export interface Wish {
  readonly scope: Scope;
  /** A program to run, for which it is not enough to reach the port of this machine: other users of it can, too. */
  readonly bringsProgram?: boolean | undefined;
}

/** Who asks, as pages are told. */
export interface Session {
  /** Of the token; absent: nobody had to show one. */
  readonly name?: string;
  readonly scopes: readonly Scope[];
  readonly isReadOnly: boolean;
}

/** The one place that decides who may do what. */
export class Access {
  readonly #options: ServerOptions;
  readonly #now: () => number;
  readonly #ring: TokenRing;
  readonly #failures = new FailureLimit();

  constructor(
    options: ServerOptions,
    { clock, tokens }: { readonly clock: Pick<Clock, 'now'>; readonly tokens?: TokenSource },
  ) {
    this.#options = options;
    this.#now = () => clock.now();
    const own = options.writeToken ?? options.token;
    this.#ring = new TokenRing(own === undefined ? [] : [ownToken(own)], tokens);
  }

  /** Why a request may not do what it wants; undefined when it may. */
  refusal(request: FastifyRequest, { scope, bringsProgram = false }: Wish): Refusal | undefined {
    const isClient = isForClients(request);
    if ((scope !== 'read' || isClient) && isForeign(request)) return FOREIGN;
    if (scope !== 'read' && isOfOtherSite(request)) return FOREIGN;
    if (scope !== 'read' && this.#options.isReadOnly) return READ_ONLY;
    if (this.#isOpen(scope) && !bringsProgram) return undefined;
    const shown = isClient ? tokensOfClient(request) : tokensOfReader(request);
    if (shown.tokens.length === 0 && shown.seal === undefined)
      return this.#ring.isEmpty() ? NO_TOKEN : NOT_SHOWN;
    const holder = this.holder(shown, request.ip);
    if ('status' in holder) return holder;
    return scopesOf(holder.scope).includes(scope) ? undefined : tooLittle(holder.scope, scope);
  }

  /** Whose token it is. Wrong ones are counted; what a browser keeps cannot be guessed, and grows old by itself. */
  holder(shown: ShownTokens, address: string): AccessToken | Refusal {
    const now = this.#now();
    const wait = this.#failures.waitSeconds(address, now);
    if (wait > 0 && shown.tokens.length > 0) return tooMany(wait);
    const found = this.#ring.find(shown, now);
    if (found) return found;
    if (shown.tokens.length > 0) this.#failures.count(address, now);
    return shown.tokens.length > 0 ? WRONG : NOT_SHOWN;
  }

  session(request: FastifyRequest): Session {
    const shown = tokensOfReader(request);
    const found = this.#ring.find(shown, this.#now());
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

/** An image of another site asks without an Origin; browsers tell in this header what they are about. */
function isOfOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}
