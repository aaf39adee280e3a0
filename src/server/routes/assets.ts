import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { LIVE } from '../assets/live.ts';
import { ICON, STYLE } from '../assets/style.ts';

const ASSETS = [
  { path: '/style.css', type: 'text/css; charset=utf-8', text: STYLE },
  { path: '/live.js', type: 'text/javascript; charset=utf-8', text: LIVE },
  { path: '/icon.svg', type: 'image/svg+xml', text: ICON },
];

/** The style sheet, the script and the icon: always asked for, seldom sent again. */
export function addAssets(app: FastifyInstance): void {
  for (const { path, type, text } of ASSETS) {
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
    app.get(path, async (request, reply) => {
      reply.header('etag', etag).header('cache-control', 'no-cache');
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(type).send(text);
    });
  }
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/icon.svg', 308));
  app.get('/health', async (_request, reply) => reply.type('application/json').send(HEALTH));
}

/** Ours, and what clients of InfluxDB 1.8 and 2.x look for. */
const HEALTH = `${JSON.stringify({
  ok: true,
  name: 'nightmark',
  message: 'ready for queries and writes',
  status: 'pass',
  checks: [],
})}\n`;
