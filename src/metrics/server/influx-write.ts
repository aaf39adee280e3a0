import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { addInfluxHeaders, INFLUX_VERSION, sendInfluxError } from '../../platform/server/influx-answer.ts';
import type { RouteDescription } from '../../platform/server/route-config.ts';
import { REFUSED_LINES_HEADER, writeError } from '../core/lines/refused-lines.ts';
import { JOBS_DATABASE, storageUnavailableMessage } from '../core/points/point-reader.ts';
import type { Precision } from '../core/points/point-storage.ts';
import type { PointService } from './point-service.ts';

/** Accepts points over HTTP as InfluxDB 1.x does (/write), and as 1.8 and 2.x do (/api/v2/write). */
export function addWrite(
  app: FastifyInstance,
  points: PointService,
  effects: Pick<HomeServerEffects, 'report'>,
): void {
  // A separate scope: here bodies are bytes and errors are those of InfluxDB.
  app.register(async (scope) => {
    addInfluxHeaders(scope);
    takeAnyBody(scope);
    scope.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
      const unavailable = storageUnavailableMessage(error);
      if (unavailable !== undefined) return sendInfluxError(reply, 503, unavailable);
      const status = error.statusCode ?? 500;
      if (status === 413) return sendInfluxError(reply, 413, 'Request Entity Too Large');
      if (status < 500) return sendInfluxError(reply, status, error.message);
      effects.report(`${request.method} ${JSON.stringify(request.url)}: ${error.stack ?? error.message}`);
      const message =
        error instanceof NightmarkError ? `${error.message} ${error.hint ?? ''}`.trim() : 'internal error';
      return sendInfluxError(reply, 500, message);
    });
    addPing(scope);
    scope.post('/write', { config: describe(WRITE_1) }, (request, reply) => {
      const { db, precision, consistency } = singleParameters(request.query);
      if (db === undefined || db === '') return sendInfluxError(reply, 400, 'database is required');
      if (consistency !== undefined && !CONSISTENCIES.has(consistency)) {
        return sendInfluxError(reply, 400, 'invalid consistency level');
      }
      // InfluxDB treats an unknown unit as nanoseconds.
      return writePoints({ database: db, precision: PRECISIONS[precision ?? 'n'] ?? 'n' }, points, {
        request,
        reply,
      });
    });
    scope.post('/api/v2/write', { config: describe(WRITE_2) }, (request, reply) => {
      const { bucket, precision = 'ns' } = singleParameters(request.query);
      const database = bucket?.split('/', 1)[0];
      if (database === undefined || database === '') return sendInfluxError(reply, 400, 'bucket is required');
      const unit = PRECISIONS[precision];
      if (unit === undefined) return sendInfluxError(reply, 400, `invalid precision: ${precision}`);
      return writePoints({ database, precision: unit }, points, { request, reply });
    });
  });
}

const describe = (doc: RouteDescription) => ({ scope: 'write', client: 'influx', doc }) as const;
const PRECISION = 'unit of the times: ns, us, ms, s, m, h';
const KEEP = 'true: nan and inf are stored';
const WRITE_1: RouteDescription = {
  summary: 'Takes points in line protocol, as InfluxDB 1.8 does; 204 when all were taken',
  query: { db: 'the database', precision: PRECISION, 'keep-not-finite': KEEP },
  answer: { media: ['application/json'] },
};
const WRITE_2: RouteDescription = {
  summary: 'Takes points in line protocol, as InfluxDB 2 does; 204 when all were taken',
  query: { bucket: 'the database', precision: PRECISION, 'keep-not-finite': KEEP },
  answer: { media: ['application/json'] },
};
const PING: RouteDescription = {
  summary: 'Whether the server is there: 204, with the version of InfluxDB that it emulates',
  query: { verbose: 'true: the version as JSON' },
  answer: { media: ['application/json'] },
};

const CONSISTENCIES = new Set(['', 'any', 'one', 'quorum', 'all']);
const PRECISIONS: Readonly<Record<string, Precision>> = {
  n: 'n',
  ns: 'n',
  u: 'u',
  us: 'u',
  µ: 'u',
  ms: 'ms',
  s: 's',
  m: 'm',
  h: 'h',
};

function addPing(app: FastifyInstance): void {
  app.get('/ping', { config: { scope: 'open', doc: PING } }, async (request, reply) => {
    if (singleParameters(request.query)['verbose'] !== 'true')
      return reply.code(204).type('application/json').send();
    return reply.type('application/json').send(`${JSON.stringify({ version: INFLUX_VERSION })}\n`);
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function writePoints(
  { database, precision }: { readonly database: string; readonly precision: Precision },
  { writer, counters, nextTimestamp, keepsNotFinite }: PointService,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  if (!writer.hasDatabase(database)) {
    return sendInfluxError(reply, 404, `database not found: ${JSON.stringify(database)}`);
  }
  const body = await bodyOf(request);
  counters.countMessage('http', body.length);
  if (body.length === 0) return reply.code(204).type('application/json').send();
  const keep = singleParameters(request.query)['keep-not-finite'];
  const receivedAt = nextTimestamp();
  const written = await writer.write({
    database,
    kind: 'lines',
    body,
    precision,
    receivedAt,
    ...((keep === undefined ? keepsNotFinite || database === JOBS_DATABASE : keep === 'true') && {
      keepsNotFinite: true,
    }),
  });
  counters.countLines('http', written, receivedAt.ms);
  const problem = writeError(written);
  if (problem !== undefined) {
    return sendInfluxError(reply.header(REFUSED_LINES_HEADER, written.refusedLines), 400, problem);
  }
  return reply.code(204).type('application/json').send();
}

/** Parameters that are given once. */
function singleParameters(query: unknown): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(query as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? value : undefined]),
  );
}

/** The limit of InfluxDB; ours applies to the decompressed body, too. */
const MAX_BODY_BYTES = 25_000_000;

const unzip = promisify(gunzip);

/** A body that cannot be read, with the status and message of the response. */
class BodyError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Whatever the content type is, the body is bytes. */
export function takeAnyBody(app: FastifyInstance): void {
  // An empty one, as the influx command line sends it, or an invalid one would be refused before any parser.
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    if (!/^[\w.+-]+\/[\w.+-]+ *(?:;|$)/.test(headers['content-type'] ?? '')) delete headers['content-type'];
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  );
}

export async function bodyOf({ body, headers }: FastifyRequest): Promise<Uint8Array> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (headers['content-encoding'] !== 'gzip') return bytes;
  try {
    return await unzip(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new BodyError(413, 'Request Entity Too Large');
    // Messages of Go for a truncated body, and for one that is not gzip.
    if (code === 'Z_BUF_ERROR') throw new BodyError(400, 'unexpected EOF');
    throw new BodyError(400, 'gzip: invalid header');
  }
}
