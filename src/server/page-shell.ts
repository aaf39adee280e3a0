import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { packageFile } from '../platform/core/package-file.ts';
import { PAGE_ROUTES } from '../platform/core/site/page-routes.ts';
import { html } from '../platform/core/text/html.ts';
import { fields, text, yesOrNo } from '../platform/server/route-config.ts';
import { acceptedEncoding } from './responses.ts';

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
    if (file) return sendFile(reply.header('cache-control', caching), file);
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

/** What the browser gets for every address of a page: no inline script or style, the policy allows none. */
function shell(
  { script, preload, style }: Pick<PageFiles, 'script' | 'preload' | 'style'>,
  chunks: readonly string[],
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Nightmark</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/${style}">
<script type="module" src="/page/${script}"></script>
${[...preload, ...chunks].map((name) => html`<link rel="modulepreload" href="/page/${name}">`)}
</head>
<body>
<div id="app"></div>
<noscript><p>This page is drawn by a script. The same facts are at <a href="/api/experiments">/api/experiments</a>, and <code>nightmark status</code> prints them.</p></noscript>
</body>
</html>
`.toString();
}

function sendFile(reply: FastifyReply, file: PageFile): FastifyReply {
  const encoding = acceptedEncoding(reply.request.headers['accept-encoding']);
  const compressed = encoding && file[encoding];
  reply.type(file.type).header('vary', 'accept-encoding');
  return compressed ? reply.header('content-encoding', encoding).send(compressed) : reply.send(file.plain);
}

const HEALTH_DOC = {
  summary: 'Whether the server is available, for monitors',
  answer: fields({ ok: yesOrNo, name: text, status: text }),
};

/** Ours, and what clients of InfluxDB 1.8 and 2.x expect. */
const HEALTH = `${JSON.stringify({
  ok: true,
  name: 'nightmark',
  message: 'ready for queries and writes',
  status: 'pass',
  checks: [],
})}\n`;

/** What scripts/build.mjs made of src/web. */
export interface PageFiles {
  readonly script: string;
  readonly preload: readonly string[];
  /** Chunks that each page needs, by its address. */
  readonly routes: Readonly<Record<string, readonly string[]>>;
  readonly style: string;
  /** The same as one classic script, for a page that is opened from disk. */
  readonly site: string;
  /** Text by name, with compressed forms where there are any. */
  readonly files: ReadonlyMap<string, PageFile>;
}

export interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Read once: they are a few hundred kilobytes, and every client loads them. */
export function readPageFiles(): PageFiles {
  const folder = new URL(packageFile(import.meta.url, 'dist/page/'));
  const names = readdirSync(fileURLToPath(folder));
  const read = (name: string) => (names.includes(name) ? readFileSync(new URL(name, folder)) : undefined);
  const { script, preload, routes, style, site } = JSON.parse(String(read('manifest.json'))) as PageFiles;
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    const plain = read(name);
    if (type === undefined || plain === undefined) continue;
    const [br, gzip] = [read(`${name}.br`), read(`${name}.gz`)];
    files.set(name, { type, plain, ...(br && { br }), ...(gzip && { gzip }) });
  }
  return { script, preload, routes, style, site, files };
}
