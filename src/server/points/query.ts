import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NightmarkError } from '../../core/errors.ts';
import type { Statement } from '../../core/influxql/ast.ts';
import { parseQuery } from '../../core/influxql/parse-statement.ts';
import { type QueryResult, runStatements } from '../../core/influxql/run-query.ts';
import { writeCsv } from '../../core/influxql/write-csv.ts';
import { writeChunk, writeJson } from '../../core/influxql/write-json.ts';
import type { Moment } from '../../core/model/points.ts';
import { storeAwayWords } from '../../core/points/store-away.ts';
import type { PointAdmin, PointReader } from '../../core/ports/point-reader.ts';
import type { ServerEffects } from '../effects.ts';
import { addInfluxHeaders, sendInfluxError } from './influx-answer.ts';
import { bodyOf, takeAnyBody } from './write-body.ts';

/** What queries are answered from. */
export interface QueryService {
  readonly reader: PointReader;
  readonly admin?: PointAdmin;
  moment(): Moment;
  /** Answers a request that may not change anything; undefined when it may. */
  guardWriter(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined;
}

/** /query as InfluxDB 1.x answers it: parameters in the address or as a form, JSON or CSV. */
export function addQuery(
  app: FastifyInstance,
  service: QueryService,
  effects: Pick<ServerEffects, 'report'>,
): void {
  app.register(async (scope) => {
    addInfluxHeaders(scope);
    takeAnyBody(scope);
    scope.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof NightmarkError && error.code.startsWith('QUERY_')) {
        return sendInfluxError(reply, 400, error.message);
      }
      const away = storeAwayWords(error);
      if (away !== undefined) return sendInfluxError(reply, 503, away);
      const status = error.statusCode ?? 500;
      if (status < 500) return sendInfluxError(reply, status, error.message);
      effects.report(`${request.method} ${JSON.stringify(request.url)}: ${error.stack ?? error.message}`);
      return sendInfluxError(reply, 500, 'internal error');
    });
    const answer = (request: FastifyRequest, reply: FastifyReply) =>
      answerQuery({ request, reply }, service, effects);
    scope.get('/query', answer);
    scope.post('/query', answer);
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function answerQuery(
  { request, reply }: Exchange,
  service: QueryService,
  effects: Pick<ServerEffects, 'report'>,
): Promise<FastifyReply> {
  const values = await parametersOf(request);
  const text = values.get('q') ?? '';
  if (text === '') return sendInfluxError(reply, 400, 'missing required parameter "q"');
  const statements = parseQuery(text);
  const refusal = changesSomething(statements) ? service.guardWriter(request, reply) : undefined;
  if (refusal !== undefined) return refusal;
  const isCsv = /^(?:application|text)\/csv/.test(String(request.headers.accept ?? ''));
  const isChunked = values.get('chunked') === 'true';
  const epoch = values.get('epoch') || (isCsv ? 'n' : undefined);
  const chunkRows = Number(values.get('chunk_size'));
  const cancel = new AbortController();
  reply.raw.on('close', () => !reply.raw.writableFinished && cancel.abort());
  const { reader, admin } = service;
  const results = runStatements(statements, {
    reader,
    ...(admin ? { admin } : {}),
    database: values.get('db') ?? '',
    now: service.moment(),
    ...(epoch === undefined ? {} : { epoch }),
    isReadOnly: request.method === 'GET',
    isChunked,
    ...(isChunked && chunkRows >= 1 ? { chunkRows: Math.floor(chunkRows) } : {}),
    signal: cancel.signal,
  });
  const pieces = write(results, { isCsv, isChunked, isPretty: values.get('pretty') === 'true' });
  reply.type(isCsv ? 'text/csv' : 'application/json');
  return send(pieces, reply, { isChunked, report: (line) => effects.report(line) });
}

interface Sending extends Pick<ServerEffects, 'report'> {
  readonly isChunked: boolean;
}

/** The beginning is awaited: what fails at once is told before the status is sent, and one piece needs no stream. */
async function send(
  pieces: AsyncGenerator<string>,
  reply: FastifyReply,
  { isChunked, report }: Sending,
): Promise<FastifyReply> {
  const first = await pieces.next();
  const second = first.done || isChunked ? undefined : await pieces.next();
  if (second?.done) return reply.send(Buffer.from(first.value as string));
  const body = Readable.from(resume([first, ...(second ? [second] : [])], pieces), { objectMode: true });
  body.on('error', (error) => report(`/query: ${error.stack ?? error.message}`));
  return reply.send(body);
}

function changesSomething(statements: readonly Statement[]): boolean {
  return statements.some(({ kind }) => kind !== 'select' && kind !== 'show');
}

/** The address counts before the form, as in InfluxDB. */
async function parametersOf(request: FastifyRequest): Promise<URLSearchParams> {
  const values = new URLSearchParams();
  if (request.method === 'POST' && /x-www-form-urlencoded/.test(request.headers['content-type'] ?? '')) {
    for (const [key, value] of new URLSearchParams(Buffer.from(await bodyOf(request)).toString())) {
      values.append(key, value);
    }
  }
  const asked = new URL(request.url, 'http://localhost').searchParams;
  for (const key of new Set(asked.keys())) values.set(key, asked.get(key) ?? '');
  return values;
}

async function* resume(
  first: readonly IteratorResult<string>[],
  rest: AsyncGenerator<string>,
): AsyncGenerator<Buffer> {
  for (const piece of first) if (!piece.done) yield Buffer.from(piece.value);
  for await (const piece of rest) yield Buffer.from(piece);
}

interface Form {
  readonly isCsv: boolean;
  readonly isChunked: boolean;
  readonly isPretty: boolean;
}

async function* write(results: AsyncIterable<QueryResult>, form: Form): AsyncGenerator<string> {
  if (form.isCsv) yield* gather(writeCsv(results));
  else if (form.isChunked) for await (const result of results) yield writeChunk(result);
  else if (!form.isPretty) yield* gather(writeJson(results, asciiText));
  else {
    let text = '';
    for await (const piece of writeJson(results, asciiText)) text += piece;
    yield `${indent(text.trimEnd())}\n`;
  }
}

function asciiText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

const PIECE_LENGTH = 65_536;

/** Many small pieces as few large ones: each is a write to the connection. */
async function* gather(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** Over lines with four spaces, without reading numbers that JavaScript would round. */
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
