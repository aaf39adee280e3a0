import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerOptions } from './effects.ts';
import { isSame } from './is-same.ts';
import { sendInfluxError } from './points/influx-answer.ts';

/** Where clients of InfluxDB come, which show their token in other ways than pages do. */
const CLIENT_PATHS = new Set(['/write', '/api/v2/write', '/query']);

export function isForClients(request: FastifyRequest): boolean {
  return CLIENT_PATHS.has(pathOf(request));
}

/**
 * Whoever writes needs the token, if there is one; beyond this machine there must be one. Pages of other sites must not
 * write through the browser of somebody who can. What a question does is known when it is read: /query asks `guardWriter`.
 */
export function guardClient(
  options: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (isForeign(request)) return sendInfluxError(reply, 403, FOREIGN);
  if (pathOf(request) !== '/query') return guardWriter(options, request, reply);
  return options.token === undefined ? undefined : askForToken(options.token, request, reply);
}

/** Answers a request that may not change anything; undefined when it may. */
export function guardWriter(
  { isLoopback, token, writeToken = token }: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  // An image of another site asks without an Origin; browsers tell in this header what they are about.
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return sendInfluxError(reply, 403, FOREIGN);
  if (writeToken !== undefined) return askForToken(writeToken, request, reply);
  return isLoopback ? undefined : sendInfluxError(reply, 403, NO_TOKEN);
}

const FOREIGN = 'forbidden: a page of another site';
const NO_TOKEN = 'forbidden: writing needs a token; start the server with --token-file FILE';

function askForToken(needed: string, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const given = tokensIn(request);
  if (given.some((one) => isSame(one, needed))) return undefined;
  const words = given.length === 0 ? 'unable to parse authentication credentials' : 'authorization failed';
  return sendInfluxError(reply.header('www-authenticate', 'Basic realm="nightmark"'), 401, words);
}

/** Of the route that answers: an address may be written in several ways ("/%77rite"). */
function pathOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? '';
}

/** Sent by a page of another site. */
export function isForeign({ headers: { origin, host } }: FastifyRequest): boolean {
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

/** "Bearer x", "Token x" (also "Token user:x"), Basic, and the parameters u and p. */
function tokensIn({ headers, query }: FastifyRequest): readonly string[] {
  const [, scheme = '', text = ''] = /^(Bearer|Token|Basic) +(.+)$/i.exec(headers.authorization ?? '') ?? [];
  const parameter = (query as Record<string, unknown>)['p'];
  const shown = scheme.toLowerCase() === 'basic' ? Buffer.from(text, 'base64').toString() : text;
  const colon = shown.indexOf(':');
  const tokens = scheme.toLowerCase() === 'basic' ? [] : [shown];
  if (colon >= 0) tokens.push(shown.slice(colon + 1));
  if (typeof parameter === 'string') tokens.push(parameter);
  return tokens.filter((one) => one !== '');
}
