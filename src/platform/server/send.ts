import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Content, html } from '../core/text/html.ts';

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);
}

/** Kept by browsers, and requested again with its tag before it is shown. */
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
  problem: ProblemText,
): FastifyReply {
  reply.code(statusCode);
  if (isForPrograms(request))
    return sendError(request, reply, { error: problem.heading, hint: problem.explanation });
  return sendPage(reply, problemPage(problem));
}

/** The page with the form for the token; `reason` says why the presented one is refused. */
export function sendLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  reason?: { readonly error: string; readonly hint: string },
): FastifyReply {
  const { error, hint } = reason ?? { error: 'A token is needed', hint: HOW_TO_SEND };
  if (reply.statusCode < 400) reply.code(401);
  reply.header('www-authenticate', 'Bearer realm="nightmark"');
  if (isForPrograms(request)) return sendError(request, reply, { error, hint });
  return sendPage(reply, loginPage('Token needed', reason?.error));
}

/** The form to log in. */
export function sendLoginForm(reply: FastifyReply): FastifyReply {
  return sendPage(reply, loginPage('Log in'));
}

const HOW_TO_SEND = 'Send it as "Authorization: Bearer TOKEN".';

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

export interface ProblemText {
  readonly heading: string;
  readonly explanation: string;
}

/** A page for what did not work: what happened, and where to go from here. */
function problemPage({ heading, explanation }: ProblemText): string {
  const main = html`<h1>${heading}</h1><p>${explanation}</p><p><a href="/">To the first page</a>, <a href="/runs">to all runs</a></p>`;
  return layout(heading, main);
}

/** The page with the form for the token; the form is posted, so that it stays out of addresses and histories. */
function loginPage(title: string, problem?: string): string {
  const main = html`<h1>This page needs its token</h1>
${problem !== undefined && html`<p class="message" role="alert">${problem}</p>`}
<form method="post" action="/login"><label>Token <input type="password" name="token" autocomplete="current-password" required autofocus></label> <button>Open</button></form>
<p class="quiet">Whoever runs the server makes one with "nightmark token create NAME --scope read"; that of NIGHTMARK_TOKEN or --token-file opens everything. Programs send "Authorization: Bearer TOKEN".</p>`;
  return layout(title, main);
}

/** A page without a script, for those who may not read yet and for what went wrong. */
function layout(title: string, main: Content): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
</head>
<body>
<header><nav aria-label="Pages"><a class="mark" href="/">nightmark</a></nav></header>
<main>${main}</main>
</body>
</html>
`.toString();
}

export function noExperiment(name: string): ProblemText {
  return {
    heading: `No experiment "${name}"`,
    explanation:
      'It was in none of the last nights and has no values. The first page lists those that were; "nightmark reindex" reads results that are not indexed yet.',
  };
}

export function noRun(id: string): ProblemText {
  return {
    heading: `No run "${id}"`,
    explanation:
      'The page of all runs lists the ids; "nightmark reindex" reads runs that are not indexed yet.',
  };
}

export function noLog(stage: string): ProblemText {
  return {
    heading: `No log of a stage "${stage}" there`,
    explanation: 'The page of the run lists its tasks and stages with their logs.',
  };
}
