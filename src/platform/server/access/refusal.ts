import type { Scope } from '../../core/access-token.ts';

/** Why a request is not answered, in words for people and in those of InfluxDB. */
export interface Refusal {
  readonly status: 401 | 403 | 429;
  readonly error: string;
  readonly hint: string;
  readonly influx: string;
  readonly retrySeconds?: number;
}

export const FOREIGN: Refusal = {
  status: 403,
  error: 'A page of another site changes nothing here',
  hint: 'Ask from a page of this server.',
  influx: 'forbidden: a page of another site',
};

export const READ_ONLY: Refusal = {
  status: 403,
  error: 'This server is read-only',
  hint: 'It was started with --read-only: nobody changes anything through it.',
  influx: 'forbidden: this server is read-only',
};

export const NO_TOKEN: Refusal = {
  status: 403,
  error: 'This needs a token, and the server has none',
  hint: 'Make one with "nightmark token create NAME --scope write", or do it with the commands of its machine.',
  influx: 'forbidden: writing needs a token; start the server with --token-file FILE',
};

export const NOT_SHOWN: Refusal = {
  status: 401,
  error: 'A token is needed',
  hint: 'Send it as "Authorization: Bearer TOKEN".',
  influx: 'unable to parse authentication credentials',
};

export const WRONG: Refusal = {
  status: 401,
  error: 'That token is not known here',
  hint: 'It is mistyped, has expired, or was revoked. "nightmark token list" shows those that are good.',
  influx: 'authorization failed',
};

/** The token is right, and not enough. */
export function tooLittle(has: Scope, needed: Scope): Refusal {
  return {
    status: 403,
    error: `This needs a token with scope "${needed}", and yours has "${has}"`,
    hint: `Make one with "nightmark token create NAME --scope ${needed}".`,
    influx: `forbidden: the token may ${has}, and this needs ${needed}`,
  };
}

export function tooMany(retrySeconds: number): Refusal {
  return {
    status: 429,
    error: 'Too many wrong tokens came from this address',
    hint: `Tokens from there are looked at again in ${retrySeconds} s.`,
    influx: `too many wrong tokens; try again in ${retrySeconds} s`,
    retrySeconds,
  };
}
