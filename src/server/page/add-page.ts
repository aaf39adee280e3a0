import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_ROUTES } from '../../core/site/page-routes.ts';
import { fields, text, yesOrNo } from '../describe/schema.ts';
import { type PageFile, readPageFiles } from './page-files.ts';
import { shell } from './shell.ts';

/** The page: the same few lines for each of its addresses, and the files they name. */
export function addPage(app: FastifyInstance): void {
  const page = readPageFiles();
  for (const route of PAGE_ROUTES) {
    const body = shell(page, page.routes[route] ?? []);
    app.get(route.replace(/:(\w+)\*$/, '*'), async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(body),
    );
  }
  app.get<{ Params: { name: string } }>('/page/:name', async (request, reply) => {
    const file = page.files.get(request.params.name);
    if (file === undefined) return reply.callNotFound();
    // Named by its content: what is under a name never changes.
    return sendPacked(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file);
  });
  app.get('/style.css', { config: { scope: 'open' } }, async (request, reply) => {
    const file = page.files.get(page.style);
    if (file === undefined) return reply.callNotFound();
    return sendPacked(request, reply.header('cache-control', 'no-cache'), file);
  });
  app.get('/icon.svg', { config: { scope: 'open' } }, async (request, reply) => {
    const file = page.files.get('icon.svg');
    if (file === undefined) return reply.callNotFound();
    return sendPacked(request, reply.header('cache-control', 'no-cache'), file);
  });
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/icon.svg', 308));
  const health = { scope: 'open', doc: HEALTH_DOC } as const;
  app.get('/health', { config: health }, async (_request, reply) =>
    reply.type('application/json').send(HEALTH),
  );
}

function sendPacked({ headers }: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const accepted = String(headers['accept-encoding'] ?? '');
  reply.type(file.type).header('vary', 'accept-encoding');
  if (file.brotli && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.brotli);
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}

const HEALTH_DOC = {
  summary: 'Whether the server is there, for monitors',
  answer: fields({ ok: yesOrNo, name: text, status: text }),
};

/** Ours, and what clients of InfluxDB 1.8 and 2.x look for. */
const HEALTH = `${JSON.stringify({
  ok: true,
  name: 'nightmark',
  message: 'ready for queries and writes',
  status: 'pass',
  checks: [],
})}\n`;
