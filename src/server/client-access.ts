import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerOptions } from './effects.ts';
import { isSame } from './is-same.ts';
import { sendInfluxError } from './points/influx-answer.ts';

/** Where clients of InfluxDB come, which show their token in other ways than pages do. */
const CLIENT_PATHS = new Set(['/write', '/api/v2/write', '/query']);

export function isForClients({ url }: FastifyRequest): boolean {
  return CLIENT_PATHS.has(url.split('?', 1)[0] ?? '');
}

/**
 * Whoever writes needs the token, if there is one; beyond this machine there must be one. Pages of other sites must not
 * write through the browser of somebody who can.
 */
export async function guardClient(
  { isLoopback, token, writeToken = token }: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (isForeign(request)) return sendInfluxError(reply, 403, 'forbidden: a page of another site');
  const needed = isWriting(request) ? writeToken : token;
  if (needed !== undefined) {
    const given = tokensIn(request);
    if (given.some((one) => isSame(one, needed))) return undefined;
    const words = given.length === 0 ? 'unable to parse authentication credentials' : 'authorization failed';
    return sendInfluxError(reply.header('www-authenticate', 'Basic realm="nightmark"'), 401, words);
  }
  if (isLoopback || !isWriting(request)) return undefined;
  return sendInfluxError(
    reply,
    403,
    'forbidden: writing needs a token; start the server with --token-file FILE',
  );
}

/** A question can change things as well, when it is posted. */
function isWriting({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function isForeign({ headers: { origin, host } }: FastifyRequest): boolean {
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
