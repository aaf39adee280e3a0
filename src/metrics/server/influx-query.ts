import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import type { Scope } from '../../platform/core/access-token.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { addInfluxHeaders, sendInfluxError } from '../../platform/server/influx-answer.ts';
import type { Statement } from '../core/influxql/parse/ast.ts';
import { parseQuery } from '../core/influxql/parse/parse-query.ts';
import { type QueryResult, runStatements } from '../core/influxql/run-query.ts';
import { writeChunk, writeCsv, writeJson } from '../core/influxql/write-results.ts';
import { type PointAdmin, type PointReader, storageUnavailableMessage } from '../core/points/point-reader.ts';
import type { Timestamp } from '../core/points/points.ts';
import { bodyOf, takeAnyBody } from './influx-write.ts';

/** What queries are answered from. */
export interface QueryService {
  readonly reader: PointReader;
  readonly admin?: PointAdmin;
  nextTimestamp(): Timestamp;
  /** Responds to a request that is not allowed; undefined when it is. */
  refuse(request: FastifyRequest, reply: FastifyReply, scope: Scope): FastifyReply | undefined;
}

/** /query as InfluxDB 1.x answers it: parameters in the URL or as a form, JSON or CSV. */
export function addQuery(
  app: FastifyInstance,
  service: QueryService,
  effects: Pick<HomeServerEffects, 'report'>,
): void {
  app.register(async (scope) => {
    addInfluxHeaders(scope);
    takeAnyBody(scope);
    scope.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof NightmarkError && error.code.startsWith('QUERY_')) {
        return sendInfluxError(reply, 400, error.message);
      }
      const unavailable = storageUnavailableMessage(error);
      if (unavailable !== undefined) return sendInfluxError(reply, 503, unavailable);
      const status = error.statusCode ?? 500;
      if (status < 500) return sendInfluxError(reply, status, error.message);
      effects.report(`${request.method} ${JSON.stringify(request.url)}: ${error.stack ?? error.message}`);
      return sendInfluxError(reply, 500, 'internal error');
    });
    const parse = cachedParser();
    const answer = (request: FastifyRequest, reply: FastifyReply) =>
      answerQuery({ request, reply, parse }, service, effects);
    // The scope is checked after parsing: statements that change something need more.
    const config = { scope: 'read', client: 'influx', doc: DOC } as const;
    scope.get('/query', { config }, answer);
    scope.post('/query', { config }, answer);
  });
}

const DOC = {
  summary:
    'InfluxQL, as InfluxDB 1.8 answers it: SELECT and SHOW read; CREATE, DELETE and DROP need scope "write", DROP DATABASE "admin"',
  query: {
    q: 'the statements',
    db: 'the database',
    epoch: 'times as numbers: ns, u, ms, s, m, h',
    chunked: 'true: an answer in chunks',
    chunk_size: 'rows of a chunk',
    pretty: 'true: over several lines',
  },
  answer: { media: ['application/json', 'text/csv'] },
};

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  parse(text: string): readonly Statement[];
}

async function answerQuery(
  { request, reply, parse }: Exchange,
  service: QueryService,
  effects: Pick<HomeServerEffects, 'report'>,
): Promise<FastifyReply> {
  const values = isForm(request) ? await withForm(request) : addressOf(request);
  const text = values.get('q') ?? '';
  if (text === '') return sendInfluxError(reply, 400, 'missing required parameter "q"');
  const statements = parse(text);
  const scope = scopeOf(statements);
  const refusal = scope === 'read' ? undefined : service.refuse(request, reply, scope);
  if (refusal !== undefined) return refusal;
  const isCsv = /^(?:application|text)\/csv/.test(String(request.headers.accept ?? ''));
  const isChunked = values.get('chunked') === 'true';
  const epoch = values.get('epoch') || (isCsv ? 'n' : undefined);
  const chunkRows = Number(values.get('chunk_size'));
  const { raw } = reply;
  const { reader, admin } = service;
  const results = runStatements(statements, {
    reader,
    ...(admin ? { admin } : {}),
    database: values.get('db') ?? '',
    now: service.nextTimestamp(),
    ...(epoch === undefined ? {} : { epoch }),
    isReadOnly: request.method === 'GET',
    isChunked,
    ...(isChunked && chunkRows >= 1 ? { chunkRows: Math.floor(chunkRows) } : {}),
    signal: {
      get aborted() {
        return raw.destroyed && !raw.writableFinished;
      },
    },
  });
  const chunks = write(results, { isCsv, isChunked, isPretty: values.get('pretty') === 'true' });
  reply.type(isCsv ? 'text/csv' : 'application/json');
  return send(chunks, reply, { isChunked, report: (line) => effects.report(line) });
}

interface Sending extends Pick<HomeServerEffects, 'report'> {
  readonly isChunked: boolean;
}

/** The first chunk is awaited: an early failure gets its status, and one chunk needs no stream. */
async function send(
  chunks: AsyncGenerator<string>,
  reply: FastifyReply,
  { isChunked, report }: Sending,
): Promise<FastifyReply> {
  const first = await chunks.next();
  const second = first.done || isChunked ? undefined : await chunks.next();
  if (second?.done) return reply.send(Buffer.from(first.value as string));
  const body = Readable.from(resume([first, ...(second ? [second] : [])], chunks), { objectMode: true });
  body.on('error', (error) => report(`/query: ${error.stack ?? error.message}`));
  return reply.send(body);
}

/** A database that is dropped takes everything with it. */
function scopeOf(statements: readonly Statement[]): Scope {
  if (statements.some(({ kind }) => kind === 'drop database')) return 'admin';
  return statements.some(({ kind }) => kind !== 'select' && kind !== 'show') ? 'write' : 'read';
}

function isForm({ method, headers }: FastifyRequest): boolean {
  return method === 'POST' && /x-www-form-urlencoded/.test(headers['content-type'] ?? '');
}

/** The URL takes precedence over the form, as in InfluxDB: of several values of a parameter the first is used. */
async function withForm(request: FastifyRequest): Promise<URLSearchParams> {
  const values = addressOf(request);
  const form = new URLSearchParams(Buffer.from(await bodyOf(request)).toString());
  for (const [key, value] of form) values.append(key, value);
  return values;
}

function addressOf({ url }: FastifyRequest): URLSearchParams {
  const [address = ''] = url.split('#', 1);
  const start = address.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : address.slice(start));
}

async function* resume(
  first: readonly IteratorResult<string>[],
  rest: AsyncGenerator<string>,
): AsyncGenerator<Buffer> {
  for (const chunk of first) if (!chunk.done) yield Buffer.from(chunk.value);
  for await (const chunk of rest) yield Buffer.from(chunk);
}

interface Form {
  readonly isCsv: boolean;
  readonly isChunked: boolean;
  readonly isPretty: boolean;
}

async function* write(results: AsyncIterable<QueryResult>, form: Form): AsyncGenerator<string> {
  if (form.isCsv) yield* joinChunks(writeCsv(results));
  else if (form.isChunked) for await (const result of results) yield writeChunk(result);
  else if (!form.isPretty) yield* joinChunks(writeJson(results, asciiText));
  else {
    let text = '';
    for await (const chunk of writeJson(results, asciiText)) text += chunk;
    yield `${indent(text.trimEnd())}\n`;
  }
}

function asciiText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

const CHUNK_LENGTH = 65_536;

/** Joins many small chunks to few large ones: each is a write to the connection. */
async function* joinChunks(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length < CHUNK_LENGTH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** Indents by four spaces, without parsing numbers that JavaScript would round. */
function indent(json: string): string {
  let depth = 0;
  return json.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^[\]{},:"]+/g, (token) => {
    const line = (by: number) => {
      depth += by;
      return `\n${'    '.repeat(depth)}`;
    };
    if (token === '{' || token === '[') return token + line(1);
    if (token === '}' || token === ']') return line(-1) + token;
    if (token === ',') return `,${line(0)}`;
    return token === ':' ? ': ' : token;
  });
}

/** A dashboard has some tens of queries, and sends them again and again. */
const MAX_CACHED = 64;
/** Longer ones are rare, and would take much memory. */
const MAX_CACHED_LENGTH = 2_048;

/** A parser with a cache of the last queries. Statements contain `now()`, not its value: they can be reused. */
export function cachedParser(): (text: string) => readonly Statement[] {
  const cache = new Map<string, readonly Statement[]>();
  return (text) => {
    const found = cache.get(text);
    const statements = found ?? parseQuery(text);
    if (text.length > MAX_CACHED_LENGTH) return statements;
    // A map keeps insertion order: its first key is the least recently used.
    if (found) cache.delete(text);
    cache.set(text, statements);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value as string);
    return statements;
  };
}
