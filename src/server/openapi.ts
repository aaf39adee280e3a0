import type { FastifyInstance, RouteOptions } from 'fastify';
import { PAGE_ROUTES } from '../platform/core/site/page-routes.ts';
import {
  anything,
  fields,
  mapOf,
  type RouteConfig,
  type RouteDescription,
  text,
} from '../platform/server/route-config.ts';
import { sendJson } from '../platform/server/send.ts';
import type { ServerOptions } from '../platform/server/server-options.ts';

export interface KnownRoute {
  readonly method: string;
  /** As Fastify has it: "/api/runs/:id", "/file/:id/*". */
  readonly url: string;
  readonly config: RouteConfig;
}

/** Collects every route that is added from now on. */
export function watchRoutes(app: FastifyInstance): readonly KnownRoute[] {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
    for (const one of [method].flat()) {
      // Fastify adds a HEAD to every GET.
      if (one !== 'HEAD') routes.push({ method: one, url, config: config ?? {} });
    }
  });
  return routes;
}

/** Pages, and the files they are made of, are for browsers. */
export function isForPages({ url }: KnownRoute): boolean {
  const pages: readonly string[] = PAGE_ROUTES.map((route) => route.replace(/:(\w+)\*$/, '*'));
  const files = ['/page/:name', '/style.css', '/icon.svg', '/favicon.ico', '/login', '/logout'];
  return pages.includes(url) || files.includes(url);
}

/** GET /api/openapi.json: the API, made from what each route says about itself. */
export function addOpenApi(
  app: FastifyInstance,
  routes: readonly KnownRoute[],
  { version = 'unknown' }: Pick<ServerOptions, 'version'>,
): void {
  const doc = {
    summary: 'This description, as OpenAPI 3.1',
    answer: fields({ openapi: text, info: fields({ title: text, version: text }), paths: mapOf(anything) }),
  };
  let made: unknown;
  app.get('/api/openapi.json', { config: { doc } }, async (_request, reply) => {
    made ??= openApiOf(routes, version);
    return sendJson(reply, made);
  });
}

function openApiOf(routes: readonly KnownRoute[], version: string): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const { doc } = route.config;
    if (doc === undefined) continue;
    const path = route.url.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, path, doc) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Nightmark',
      version,
      description: 'What the pages of this server show, for programs, and what programs may send to it.',
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: PROBLEM },
    },
    paths,
  };
}

const PROBLEM = fields({ error: text, 'hint?': text, 'code?': text });

function operationOf({ method, config }: KnownRoute, path: string, doc: RouteDescription): unknown {
  const scope = config.scope ?? 'read';
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: text },
  }));
  const inQuery = Object.entries(doc.query ?? {}).map(([name, description]) => ({
    ...{ name, in: 'query', description, schema: text },
  }));
  const problem = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } };
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W+(\w?)/g, (_, first: string) => first.toUpperCase())}`,
    summary: doc.summary,
    tags: [groupOf(path)],
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(doc.body && { requestBody: { content: { 'application/json': { schema: doc.body } } } }),
    responses: {
      200: { description: doc.summary, content: contentOf(doc.answer) },
      default: { description: 'What is wrong, and what to do', ...problem },
    },
    ...(scope !== 'open' && { security: [{ token: [] }], 'x-scope': scope }),
  };
}

function contentOf(answer: RouteDescription['answer']): unknown {
  if (!('media' in answer)) return { 'application/json': { schema: answer } };
  return Object.fromEntries(answer.media.map((type) => [type, {}]));
}

/** "/api/jobs/{id}" -> "jobs". */
function groupOf(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  if (first === 'write' || first === 'query' || first === 'ping' || second === 'v2') return 'influxdb';
  if (first === 'file' || first === 'graphql') return 'jobs';
  return (first === 'api' ? second : first).replace(/\..*$/, '');
}
