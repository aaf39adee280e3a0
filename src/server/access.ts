import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { guardClient, isForClients } from './client-access.ts';
import type { ServerOptions } from './effects.ts';
import { hostName, isLoopbackHost } from './hosts.ts';
import { isSame } from './is-same.ts';
import { sendLogin, sendProblem } from './send.ts';

const COOKIE = 'nightmark';
/** Reached without a token: they show nothing of the home. */
const OPEN_PATHS = new Set(['/health', '/ping', '/login', '/style.css', '/icon.svg']);

/** Refuses foreign Host headers on loopback, and readers without the token where there is one. */
export function guardAccess(app: FastifyInstance, options: ServerOptions): void {
  // No promise: on the way of every write and every query it would cost a turn.
  app.addHook('onRequest', (request, reply, done) => {
    if (refuse(options, request, reply) === undefined) done();
  });
  if (options.token !== undefined) addLogin(app, options.token);
}

/** Answers a request that may not be made; undefined when it may. */
function refuse(
  options: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { isLoopback, token } = options;
  if (isLoopback && !isLoopbackHost(hostName(request.headers.host))) {
    return sendProblem(request, reply, 421, {
      heading: 'Not under this name',
      explanation:
        'This server listens on this machine only. Open it as http://127.0.0.1 or http://localhost.',
    });
  }
  if (isForClients(request)) return guardClient(options, request, reply);
  if (token === undefined || OPEN_PATHS.has(request.url.split('?', 1)[0] ?? '')) return undefined;
  return hasToken(request, token) ? undefined : sendLogin(request, reply, false);
}

function addLogin(app: FastifyInstance, token: string): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4096 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.get('/login', async (request, reply) => sendLogin(request, reply, false));
  app.post('/login', async (request: FastifyRequest, reply: FastifyReply) => {
    const given = request.body instanceof URLSearchParams ? request.body.get('token') : null;
    if (given === null || !isSame(given, token)) return sendLogin(request, reply, true);
    const cookie = `${COOKIE}=${seal(token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`;
    return reply.header('set-cookie', cookie).redirect('/', 303);
  });
}

/** Shown by a program in a header, or by a browser that has logged in. */
export function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return isSame(bearer, token);
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = cookies.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  return value !== undefined && isSame(value, seal(token));
}

/** What the browser keeps: proves the token without being it. */
function seal(token: string): string {
  return createHmac('sha256', token).update('nightmark page').digest('base64url');
}
