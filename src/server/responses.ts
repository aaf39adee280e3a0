import { createHash, randomUUID } from 'node:crypto';
import { pipeline, Readable, type Transform } from 'node:stream';
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
} from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag } from '../platform/server/send-file.ts';
import type { ServerEffects } from './server-effects.ts';

/**
 * An ETag for each response, and 304 for clients that have it. Where a response follows from the index alone, the tag is
 * made of the version of the index, and nothing is read; elsewhere it is the hash of the content.
 */
export function addEtags(app: FastifyInstance, { index }: Pick<ServerEffects, 'index'>): void {
  // Another version of the server may respond differently from the same index.
  const server = randomUUID();
  app.addHook('onRequest', (request, reply, done) => {
    const version = request.routeOptions.config?.follows === 'index' ? index.version?.() : undefined;
    if (version === undefined) return done();
    // Taken before the index is read: if it changes meanwhile the tag is too old, which costs one more response.
    const tag = etagOf(`${server} ${version} ${request.url}`);
    reply.header('etag', tag);
    if (!matchesTag(request, tag)) return done();
    reply.header('cache-control', 'private, no-cache').code(304).send();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 200) {
      if (reply.statusCode >= 400) reply.removeHeader('etag');
      return done(null, payload);
    }
    if (!isTagged(request, reply, payload)) return done(null, payload);
    const tag = String(reply.getHeader('etag') ?? etagOf(payload));
    reply.header('etag', tag);
    if (!matchesTag(request, tag)) return done(null, payload);
    reply.code(304).removeHeader('content-length').removeHeader('content-encoding');
    done(null, null);
  });
}

function isTagged(
  { method, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  if ((method !== 'GET' && method !== 'HEAD') || routeOptions.config?.client === 'influx') return false;
  if (/no-store|immutable/.test(String(reply.getHeader('cache-control') ?? ''))) return false;
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

/** Weak: the same content may come in another encoding. */
function etagOf(content: string | Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** Less fits into one or two packets anyway. */
const LEAST_BYTES = 1024;
const COMPRESSED_TYPES =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|openmetrics-text|xml)|image\/svg\+xml)/;
/** Half the time of the default levels, for a tenth more bytes: a response is compressed once and read once. */
const GZIP = { level: 3 };
const BROTLI: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};

type Encoding = 'br' | 'gzip';

/** Compresses text for clients that accept it: whole responses, and streams of any length. */
export function addCompression(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) return done(null, payload);
    reply.header('vary', withEncoding(reply.getHeader('vary')));
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding === undefined) return done(null, payload);
    reply.header('content-encoding', encoding).removeHeader('content-length');
    if (payload instanceof Readable) return done(null, compressedStream(payload, encoding));
    if (encoding === 'br') brotliCompress(payload, BROTLI, done);
    else gzip(payload, GZIP, done);
  });
}

function isCompressible(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer | Readable {
  if (request.method === 'HEAD' || reply.statusCode === 206 || reply.hasHeader('content-encoding'))
    return false;
  // Ranges of compressed bytes mean nothing, and chunks are sent as soon as they are ready.
  if (reply.hasHeader('accept-ranges') || isChunked(request)) return false;
  if (!COMPRESSED_TYPES.test(String(reply.getHeader('content-type') ?? ''))) return false;
  if (payload instanceof Readable)
    return Number(reply.getHeader('content-length') ?? LEAST_BYTES) >= LEAST_BYTES;
  if (typeof payload === 'string') return payload.length >= LEAST_BYTES;
  return Buffer.isBuffer(payload) && payload.length >= LEAST_BYTES;
}

function isChunked({ query }: FastifyRequest): boolean {
  return (query as Record<string, unknown>)['chunked'] === 'true';
}

/** "gzip;q=0" refuses it. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  const accepted = String(header ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => !/;\s*q=0(?:\.0*)?$/.test(one))
    .map((one) => one.split(';', 1)[0]);
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : undefined;
}

/** Errors reach the source of the stream; a client that disconnects ends both. */
function compressedStream(payload: Readable, encoding: Encoding): Transform {
  const compressor = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  pipeline(payload, compressor, () => {});
  return compressor;
}

function withEncoding(vary: unknown): string {
  if (vary === undefined || vary === 'accept-encoding') return 'accept-encoding';
  return `${String(vary)}, accept-encoding`;
}
