import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

type Document = Record<string, unknown>;
interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/**
 * The part of OpenSearch's HTTP protocol that we use, as its documentation has it, and strict: what is not allowed there is an error
 * here. No OpenSearch can be installed where these tests run.
 */
export class SearchServer {
  readonly indices = new Map<string, { readonly body: unknown; readonly documents: Map<string, Document> }>();
  readonly requests: string[] = [];
  /** Answers to give before anything is done, one for each request. */
  readonly busy: Answer[] = [];
  /** Ids whose next writing is refused, with the error. */
  readonly refusals = new Map<string, { status: number; error: { type: string; reason: string } }>();
  readonly #scrolls = new Map<string, { rest: [string, Document][]; size: number; index: string }>();
  readonly #password: string | undefined;
  #server: ReturnType<typeof createServer> | undefined;
  #scrolled = 0;

  constructor(password?: string) {
    this.#password = password;
  }

  get openScrolls(): number {
    return this.#scrolls.size;
  }

  async listen(tls?: { readonly key: string; readonly cert: string }): Promise<string> {
    const serve = (request: IncomingMessage, response: import('node:http').ServerResponse) => {
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(body === undefined || request.method === 'HEAD' ? undefined : JSON.stringify(body));
      });
    };
    const server = tls ? createSecureServer(tls, serve) : createServer(serve);
    this.#server = server as ReturnType<typeof createServer>;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '' } = request;
    this.requests.push(`${method} ${url}`);
    let text = '';
    for await (const piece of request) text += piece;
    const given = request.headers.authorization ?? '';
    const wanted = `Basic ${Buffer.from(`admin:${this.#password}`).toString('base64')}`;
    if (this.#password !== undefined && given !== wanted) return { status: 401, body: 'Unauthorized' };
    const early = this.busy.shift();
    if (early) return early;
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const type = request.headers['content-type'] ?? '';
    const path = decodeURIComponent(pathname.slice(1));
    if (path === '_bulk' && method === 'POST') return this.#bulk(text, type);
    if (text !== '' && type !== 'application/json') return failure(406, 'media_type_header_exception', type);
    if (path === '_search/scroll') return this.#scroll(method, JSON.parse(text) as Document);
    if (path.endsWith('/_search') && method === 'POST') {
      const keep = searchParams.get('scroll');
      return this.#search(path.slice(0, -'/_search'.length), JSON.parse(text) as Document, keep);
    }
    return this.#index(method, path, text);
  }

  #index(method: string, index: string, text: string): Answer {
    if (!/^[^A-Z\\/*?"<>| ,#:_+-][^A-Z\\/*?"<>| ,#:]*$/.test(index))
      return failure(400, 'invalid_index_name_exception', `Invalid index name [${index}], must be lowercase`);
    if (method === 'HEAD') return { status: this.indices.has(index) ? 200 : 404 };
    if (method !== 'PUT') return failure(405, 'method_not_allowed', method);
    if (this.indices.has(index)) return failure(400, 'resource_already_exists_exception', index);
    this.indices.set(index, { body: JSON.parse(text), documents: new Map() });
    return { status: 200, body: { acknowledged: true, shards_acknowledged: true, index } };
  }

  #bulk(text: string, type: string): Answer {
    if (!/^application\/(x-nd)?json/.test(type)) return failure(406, 'media_type_header_exception', type);
    if (!text.endsWith('\n'))
      return failure(400, 'illegal_argument_exception', 'must be terminated by a newline [\\n]');
    const lines = text.slice(0, -1).split('\n');
    const items = [];
    for (let at = 0; at < lines.length; at += 2) {
      const { index: action } = JSON.parse(lines[at] ?? '') as { index: { _index: string; _id: string } };
      const document = JSON.parse(lines[at + 1] ?? '') as Document;
      items.push({ index: { ...action, ...this.#put(action, document) } });
    }
    return { status: 200, body: { took: 1, errors: items.some(({ index }) => index.status > 299), items } };
  }

  #put(action: { _index: string; _id: string }, document: Document) {
    const refusal = this.refusals.get(action._id);
    this.refusals.delete(action._id);
    if (refusal) return refusal;
    const documents = this.indices.get(action._index)?.documents;
    if (!documents)
      return {
        status: 404,
        error: { type: 'index_not_found_exception', reason: `no such index [${action._index}]` },
      };
    const isNew = !documents.has(action._id);
    documents.set(action._id, document);
    return { status: isNew ? 201 : 200, result: isNew ? 'created' : 'updated' };
  }

  #search(index: string, query: Document, keep: string | null): Answer {
    const documents = this.indices.get(index)?.documents;
    if (!documents) return failure(404, 'index_not_found_exception', `no such index [${index}]`);
    const size = Number(query['size'] ?? 10);
    if (size > 10_000) return failure(400, 'illegal_argument_exception', 'Result window is too large');
    if (keep === null) return { status: 200, body: page([...documents].slice(0, size), index) };
    const id = `scroll-${this.#scrolled++}`;
    this.#scrolls.set(id, { rest: [...documents], size, index });
    return this.#next(id);
  }

  #scroll(method: string, body: Document): Answer {
    const id = String(body['scroll_id']);
    if (!this.#scrolls.has(id)) return failure(404, 'search_context_missing_exception', id);
    if (method === 'DELETE') this.#scrolls.delete(id);
    return method === 'DELETE' ? { status: 200, body: { succeeded: true, num_freed: 1 } } : this.#next(id);
  }

  #next(id: string): Answer {
    const scroll = this.#scrolls.get(id);
    if (!scroll) return failure(404, 'search_context_missing_exception', id);
    const hits = scroll.rest.splice(0, scroll.size);
    return { status: 200, body: { _scroll_id: id, ...page(hits, scroll.index) } };
  }
}

function page(hits: readonly [string, Document][], index: string) {
  return {
    timed_out: false,
    _shards: { total: 4, successful: 4, skipped: 0, failed: 0 },
    hits: { hits: hits.map(([_id, _source]) => ({ _index: index, _id, _source })) },
  };
}

function failure(status: number, type: string, reason: string): Answer {
  return { status, body: { error: { root_cause: [{ type, reason }], type, reason }, status } };
}
