import type { FastifyReply, FastifyRequest } from 'fastify';
import { layout, type PlainPage } from './pages/layout.ts';
import { loginPage, type ProblemWords, problemPage } from './pages/problem-page.ts';

function sendPlainPage(reply: FastifyReply, page: PlainPage): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(layout(page));
}

export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return sendJsonText(reply, `${JSON.stringify(value)}\n`);
}

/** JSON that was written before. */
export function sendJsonText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(text);
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
  return sendPlainPage(reply, { title: words.heading, main: problemPage(words) });
}

export function sendLogin(request: FastifyRequest, reply: FastifyReply, wasWrong: boolean): FastifyReply {
  reply.code(401).header('www-authenticate', 'Bearer realm="nightmark"');
  const hint = 'Send it as "Authorization: Bearer TOKEN".';
  if (isForPrograms(request)) return sendError(request, reply, { error: 'A token is needed', hint });
  return sendPlainPage(reply, { title: 'Token needed', main: loginPage(wasWrong) });
}

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
