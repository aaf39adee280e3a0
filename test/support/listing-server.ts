import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestServer {
  readonly url: string;
  /** "GET /path" and the range, in the order of arrival. */
  readonly requests: string[];
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server on a free port of this machine that answers as it is told. */
export async function startServer(answer: Answer): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { range } = request.headers;
    requests.push(`${request.method} ${request.url}${range === undefined ? '' : ` ${range}`}`);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Folders as pages with links, files with tags and ranges; keys are paths, folders end in "/". */
export function serveFiles(files: Readonly<Record<string, string>>): Answer {
  return (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname).slice(1);
    const content = files[path];
    if (content !== undefined && !path.endsWith('/')) return sendFile(content, request, response);
    const names = Object.keys(files).flatMap((file) =>
      file.startsWith(path) && file !== path ? [/^[^/]*\/?/.exec(file.slice(path.length))?.[0] ?? ''] : [],
    );
    if (names.length === 0) return void response.writeHead(404).end();
    const links = [...new Set(names)].map((name) => `<a href="${encodeURI(name)}">${name}</a>`);
    response.setHeader('content-type', 'text/html');
    response.end(`<title>Index of /${path}</title><a href="../">../</a>\n${links.join('\n')}`);
  };
}

export function sendFile(content: string, request: IncomingMessage, response: ServerResponse): void {
  const bytes = Buffer.from(content);
  const tag = `"${bytes.length}-${content.slice(0, 8).replace(/[^\w]/g, '')}"`;
  response.setHeader('etag', tag);
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (start > 0 && request.headers['if-range'] === tag) {
    if (start >= bytes.length) return void response.writeHead(416).end();
    response.writeHead(206, {
      'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
      'content-length': bytes.length - start,
    });
    return void response.end(bytes.subarray(start));
  }
  response.setHeader('content-length', bytes.length);
  response.end(bytes);
}
