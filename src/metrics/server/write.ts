import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HomeServerEffects } from '../../home/server/effects.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { addInfluxHeaders, INFLUX_VERSION, sendInfluxError } from '../../platform/server/influx-answer.ts';
import type { RouteDescription } from '../../platform/server/route-config.ts';
import { REFUSED_LINES_HEADER, writeError } from '../core/lines/refused-lines.ts';
import { JOBS_DATABASE, storageUnavailableMessage } from '../core/points/point-reader.ts';
import type { Precision } from '../core/points/point-storage.ts';
import type { PointService } from './effects.ts';
import { bodyOf, takeAnyBody } from './write-body.ts';

/** Takes points over HTTP as InfluxDB 1.x does (/write), and as 1.8 and 2.x do (/api/v2/write). */
export function addWrite(
  app: FastifyInstance,
  points: PointService,
  effects: Pick<HomeServerEffects, 'report'>,
): void {
  // A scope of its own: here bodies are bytes and errors are those of InfluxDB.
  app.register(async (scope) => {
    addInfluxHeaders(scope);
    takeAnyBody(scope);
    scope.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
      const away = storageUnavailableMessage(error);
      if (away !== undefined) return sendInfluxError(reply, 503, away);
      const status = error.statusCode ?? 500;
      if (status === 413) return sendInfluxError(reply, 413, 'Request Entity Too Large');
      if (status < 500) return sendInfluxError(reply, status, error.message);
      effects.report(`${request.method} ${JSON.stringify(request.url)}: ${error.stack ?? error.message}`);
      const words =
        error instanceof NightmarkError ? `${error.message} ${error.hint ?? ''}`.trim() : 'internal error';
      return sendInfluxError(reply, 500, words);
    });
    addPing(scope);
    scope.post('/write', { config: describe(WRITE_1) }, (request, reply) => {
      const { db, precision, consistency } = textsOf(request.query);
      if (db === undefined || db === '') return sendInfluxError(reply, 400, 'database is required');
      if (consistency !== undefined && !CONSISTENCIES.has(consistency)) {
        return sendInfluxError(reply, 400, 'invalid consistency level');
      }
      // InfluxDB takes a unit that it does not know for nanoseconds.
      return take({ database: db, precision: PRECISIONS[precision ?? 'n'] ?? 'n' }, points, {
        request,
        reply,
      });
    });
    scope.post('/api/v2/write', { config: describe(WRITE_2) }, (request, reply) => {
      const { bucket, precision = 'ns' } = textsOf(request.query);
      const database = bucket?.split('/', 1)[0];
      if (database === undefined || database === '') return sendInfluxError(reply, 400, 'bucket is required');
      const unit = PRECISIONS[precision];
      if (unit === undefined) return sendInfluxError(reply, 400, `invalid precision: ${precision}`);
      return take({ database, precision: unit }, points, { request, reply });
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
  summary: 'Whether the server is there: 204, with the version of InfluxDB that it speaks like',
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
    if (textsOf(request.query)['verbose'] !== 'true') return reply.code(204).type('application/json').send();
    return reply.type('application/json').send(`${JSON.stringify({ version: INFLUX_VERSION })}\n`);
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function take(
  { database, precision }: { readonly database: string; readonly precision: Precision },
  { writer, counters, moment, keepsNotFinite }: PointService,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  if (!writer.hasDatabase(database)) {
    return sendInfluxError(reply, 404, `database not found: ${JSON.stringify(database)}`);
  }
  const body = await bodyOf(request);
  counters.countMessage('http', body.length);
  if (body.length === 0) return reply.code(204).type('application/json').send();
  const asked = textsOf(request.query)['keep-not-finite'];
  const receivedAt = moment();
  const written = await writer.write({
    database,
    kind: 'lines',
    body,
    precision,
    receivedAt,
    ...((asked === undefined ? keepsNotFinite || database === JOBS_DATABASE : asked === 'true') && {
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
function textsOf(query: unknown): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(query as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? value : undefined]),
  );
}
