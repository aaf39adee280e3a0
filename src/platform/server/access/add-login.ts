import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SCOPES } from '../../core/access-token.ts';
import { described, fields, list, text, yesOrNo } from '../route-config.ts';
import { sendJson, sendLogin, sendLoginForm } from '../send.ts';
import type { Access } from './access.ts';
import { COOKIE, pageSeal } from './presented-tokens.ts';

const MONTH_SECONDS = 30 * 86_400;

/** A token becomes a cookie, by a form that needs no script; and a route that says what the client may do. */
export function addLogin(app: FastifyInstance, access: Access): void {
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.get('/login', { config: { scope: 'open' } }, async (_request, reply) => sendLoginForm(reply));
    scope.post('/login', { config: { scope: 'open' } }, async (request, reply) =>
      logIn(request, reply, access),
    );
    scope.post('/logout', { config: { scope: 'open' } }, async (_request, reply) =>
      reply.header('set-cookie', cookie('', 0)).redirect('/', 303),
    );
  });
  const doc = {
    summary: 'Who the client is, and what it may do here',
    answer: fields({
      'name?': described('Of the token; absent: none was presented', text),
      scopes: list({ enum: SCOPES }),
      isReadOnly: yesOrNo,
    }),
  };
  app.get('/api/session', { config: { scope: 'open', doc } }, async (request, reply) =>
    sendJson(reply, access.session(request)),
  );
}

function logIn(request: FastifyRequest, reply: FastifyReply, access: Access): FastifyReply {
  const given = request.body instanceof URLSearchParams ? request.body.get('token')?.trim() : undefined;
  if (!given) return sendLogin(request, reply, WRONG_TOKEN);
  const holder = access.holder({ tokens: [given] }, request.ip);
  if (!('status' in holder))
    return reply.header('set-cookie', cookie(pageSeal(given), MONTH_SECONDS)).redirect('/', 303);
  if (holder.retrySeconds === undefined) return sendLogin(request, reply, WRONG_TOKEN);
  return sendLogin(request, reply.code(429).header('retry-after', holder.retrySeconds), {
    error: `${holder.error}. ${holder.hint}`,
    hint: holder.hint,
  });
}

const WRONG_TOKEN = { error: 'That is not the token.', hint: '' };

function cookie(value: string, maxAgeSeconds: number): string {
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}`;
}
