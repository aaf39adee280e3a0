import type { FastifyRequest } from 'fastify';
import { hasToken } from '../access.ts';
import { isForeign } from '../client-access.ts';
import type { ServerOptions } from '../effects.ts';

export interface Refusal {
  readonly status: 401 | 403;
  readonly error: string;
  readonly hint: string;
}

/**
 * Why a request may not change jobs; undefined when it may. Pages of other sites must not do so through the browser of
 * somebody who can, and beyond this machine a token is needed. `brings`: it brings a program to run, for which whoever can
 * reach the port of this machine is not enough: other users of it can, too.
 */
export function whyNoWriter(
  { isLoopback, token, writeToken = token }: ServerOptions,
  request: FastifyRequest,
  brings?: 'program',
): Refusal | undefined {
  const site = request.headers['sec-fetch-site'];
  if (isForeign(request) || site === 'cross-site' || site === 'same-site')
    return {
      status: 403,
      error: 'A page of another site changes nothing here',
      hint: 'Ask from a page of this server.',
    };
  if (writeToken !== undefined) return hasToken(request, writeToken) ? undefined : NOT_SHOWN;
  return isLoopback && brings === undefined ? undefined : NO_TOKEN;
}

const NOT_SHOWN: Refusal = {
  status: 401,
  error: 'A token is needed',
  hint: 'Send it as "Authorization: Bearer TOKEN".',
};
const NO_TOKEN: Refusal = {
  status: 403,
  error: 'This needs a token, and the server has none',
  hint: 'Start it with --token-file FILE, or use "nightmark job" on its machine.',
};
