import type { FastifyInstance, FastifyReply } from 'fastify';
import { PAGE_ROUTES } from '../../core/site/page-routes.ts';
import { acceptedEncoding } from '../answer/compression.ts';
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
  const send = (reply: FastifyReply, name: string, caching: string): FastifyReply | undefined => {
    const file = page.files.get(name);
    if (file) return sendPacked(reply.header('cache-control', caching), file);
    reply.callNotFound();
    return undefined;
  };
  // Named by its content: what is under a name never changes.
  app.get<{ Params: { name: string } }>('/page/:name', async ({ params }, reply) =>
    send(reply, params.name, 'public, max-age=31536000, immutable'),
  );
  for (const [route, name] of [
    ['/style.css', page.style],
    ['/icon.svg', 'icon.svg'],
  ] as const)
    app.get(route, { config: { scope: 'open' } }, async (_request, reply) => send(reply, name, 'no-cache'));
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/icon.svg', 308));
  const health = { scope: 'open', doc: HEALTH_DOC } as const;
  app.get('/health', { config: health }, async (_request, reply) =>
    reply.type('application/json').send(HEALTH),
  );
}

function sendPacked(reply: FastifyReply, file: PageFile): FastifyReply {
  const encoding = acceptedEncoding(reply.request.headers['accept-encoding']);
  const packed = encoding && file[encoding];
  reply.type(file.type).header('vary', 'accept-encoding');
  return packed ? reply.header('content-encoding', encoding).send(packed) : reply.send(file.plain);
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
