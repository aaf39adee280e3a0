import type { FastifyReply, FastifyRequest } from 'fastify';
import { loginPage, type ProblemWords, problemPage } from './plain-pages.ts';

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);
}

/** Kept by browsers, and asked for again with its tag before it is shown. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return sendJsonText(reply, `${JSON.stringify(value)}\n`);
}

/** JSON that was written before. */
export function sendJsonText(reply: FastifyReply, text: string): FastifyReply {
  const isKept = ['GET', 'HEAD'].includes(reply.request.method) && reply.statusCode < 400;
  return reply
    .type('application/json; charset=utf-8')
    .header('cache-control', isKept ? 'private, no-cache' : 'no-store')
    .send(text);
}

/** What follows is a CSV file of that name. */
export function asTable(reply: FastifyReply, name: string): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}.csv`);
}

/** Programs get JSON, people a page. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  statusCode: number,
  words: ProblemWords,
): FastifyReply {
  reply.code(statusCode);
  if (isForPrograms(request))
    return sendError(request, reply, { error: words.heading, hint: words.explanation });
  return sendPage(reply, problemPage(words));
}

/** Asks for the token; `words` say why what was shown is not it. */
export function sendLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  words?: { readonly error: string; readonly hint: string },
): FastifyReply {
  const { error, hint } = words ?? { error: 'A token is needed', hint: HOW_TO_SHOW };
  if (reply.statusCode < 400) reply.code(401);
  reply.header('www-authenticate', 'Bearer realm="nightmark"');
  if (isForPrograms(request)) return sendError(request, reply, { error, hint });
  return sendPage(reply, loginPage('Token needed', words?.error));
}

/** The form, for whoever comes to log in. */
export function sendLoginForm(reply: FastifyReply): FastifyReply {
  return sendPage(reply, loginPage('Log in'));
}

const HOW_TO_SHOW = 'Send it as "Authorization: Bearer TOKEN".';

/** As the address answers: GraphQL has its own shape of errors. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, hint, code }: { readonly error: string; readonly hint: string; readonly code?: string },
): FastifyReply {
  const rest = { hint, ...(code !== undefined && { code }) };
  const answer = isGraphql(request) ? { errors: [{ message: error, extensions: rest }] } : { error, ...rest };
  return sendJson(reply, answer);
}

function isForPrograms(request: FastifyRequest): boolean {
  return request.url.startsWith('/api/') || isGraphql(request);
}

function isGraphql({ url }: FastifyRequest): boolean {
  return /^\/graphql(?:[?/]|$)/.test(url);
}
