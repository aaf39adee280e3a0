import { type AccessToken, isExpired } from '../../core/access-token.ts';
import type { ShownTokens } from './shown-tokens.ts';
import { hashOf } from './token-hash.ts';

/** Tokens that may change while the server runs; the same list as long as they have not. */
export interface TokenSource {
  current(): readonly AccessToken[];
}

/** Finds the holder of a token among those of the server itself and those that were made for it. */
export class TokenRing {
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

  find({ tokens, seal }: ShownTokens, now: number): AccessToken | undefined {
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
