import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OTHER_DOCS } from '../../platform/server/api-docs.ts';
import { sendJson } from '../../platform/server/send.ts';
import type { PointEngine } from '../app/point-engine.ts';
import {
  encodeWireHeader,
  encodeWireSeries,
  WIRE_COLUMNS,
  type WireHeader,
  type WireSeries,
} from '../core/points/columns-wire.ts';
import type { PointReader } from '../core/points/point-reader.ts';
import type { StoredColumn } from '../core/points/point-storage.ts';
import {
  bucketAnswer,
  exactOrBuckets,
  type RequestedSeries,
  rawAnswer,
  type SeriesAnswer,
} from './chart-series.ts';
import {
  badRequest,
  MAX_SERIES,
  matching,
  type Parameters,
  parametersOf,
  type RequestedRange,
  requestedColumns,
  requestedDatabase,
  requestedNumber,
  requestedRange,
  single,
} from './point-parameters.ts';
import type { PointService } from './point-service.ts';

export interface ColumnService extends Pick<PointService, 'nextTimestamp'> {
  readonly reader: PointReader;
  readonly stored: Pick<PointEngine, 'buckets' | 'extent'>;
  /** Called when a response fails halfway: its status has been sent by then. */
  report(line: string): void;
}

const MAX_BUCKETS = 10_000;
const DEFAULT_BUCKETS = 500;
/** Of a series, for raw values. */
const MAX_POINTS = 100_000;
/** Of all series of one response: 32 MB. */
const MAX_ROWS = 1_000_000;

/** GET /api/points: numbers of many series for charts, as columns of bytes or as JSON; docs/reference/points-api.md. */
export function addColumns(app: FastifyInstance, service: ColumnService): void {
  app.get('/api/points', { config: { doc: COLUMNS_DOC } }, async (request, reply) => {
    const parameters = parametersOf(request.query, ['from', 'to', 'all', 'buckets', 'raw', 'exact', 'most']);
    const matched = numbersOnly(columnsOf(parameters, service.reader));
    const range = await rangeOf(parameters, matched, service);
    const columns = await shownOf(parameters, { columns: matched, range }, service.stored);
    const buckets = flagIn(parameters, 'raw') ? 0 : bucketsOf(parameters, columns);
    const requested = { columns, range, buckets, leftOut: matched.length - columns.length };
    return send({ request, reply, report: service.report }, await answerOf(parameters, requested, service));
  });
}

/** With a limit, any number of series may match. */
function columnsOf(parameters: Parameters, reader: PointReader): readonly StoredColumn[] {
  if (!parameters.has('most')) return requestedColumns(parameters, reader);
  return matching(parameters, reader.columns(requestedDatabase(parameters, reader)));
}

/** All of them, or the first `most` that have points in this range: a chart shows few of thousands. */
async function shownOf(
  parameters: Parameters,
  { columns, range }: Pick<RequestedSeries, 'columns' | 'range'>,
  stored: ColumnService['stored'],
): Promise<readonly StoredColumn[]> {
  if (!parameters.has('most')) return columns;
  const most = requestedNumber(parameters, 'most', { most: MAX_SERIES, otherwise: MAX_SERIES });
  const shown: StoredColumn[] = [];
  for (const column of columns) {
    if (shown.length === most) break;
    const extent = await stored.extent(column.number);
    if (extent && extent.first.ms < range.to.ms && extent.last.ms >= range.from.ms) shown.push(column);
  }
  return shown;
}

/** Raw values, their extremes, or raw values where there are few and extremes where there are many. */
async function answerOf(
  parameters: Parameters,
  requested: RequestedSeries,
  service: ColumnService,
): Promise<SeriesAnswer> {
  const exact = requestedNumber(parameters, 'exact', { most: MAX_POINTS, otherwise: 0 });
  if (!flagIn(parameters, 'raw'))
    return exact > 0 ? exactOrBuckets(requested, exact, service) : bucketAnswer(requested, service);
  if (exact > 0) throw badRequest('"raw" and "exact" are both given.', 'Give one of them.');
  await checkCounts(requested.columns, requested.range, service.stored);
  return rawAnswer(requested, service);
}

/** Without any points, the last hour. */
async function rangeOf(
  parameters: Parameters,
  columns: readonly StoredColumn[],
  { stored, nextTimestamp }: ColumnService,
): Promise<RequestedRange> {
  const range = requestedRange(parameters, nextTimestamp());
  if (!flagIn(parameters, 'all')) return range;
  if (parameters.has('from') || parameters.has('to'))
    throw badRequest('"all" is given together with "from" or "to".', 'Give either the one or the others.');
  return (await wholeRange(columns, stored)) ?? range;
}

const COLUMNS_DOC = {
  summary: 'Numbers of many series for charts, as columns of bytes or as JSON',
  query: {
    database: 'the database',
    measurement: 'the measurement',
    'tag.KEY': 'value of a tag; several times for several values',
    field: 'the field',
    from: 'begin of the range',
    to: 'end of the range',
    all: '1: from the first point to the last, instead of from and to',
    buckets: `parts of the range, at most ${MAX_BUCKETS}`,
    raw: '1: values as they were written',
    most: `the first series that have points in the range, at most ${MAX_SERIES}`,
    exact: `values as they were written where there are no more than this, at most ${MAX_POINTS}`,
  },
  answer: { media: ['application/octet-stream', 'application/json'] },
};

interface Exchange extends Pick<ColumnService, 'report'> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Streams series by series: only one is in memory. */
function send({ request, reply, report }: Exchange, { header, series }: SeriesAnswer): FastifyReply {
  const isJson = /\bapplication\/json\b/.test(request.headers.accept ?? '');
  reply.header('cache-control', 'no-store').header('vary', 'Accept');
  const body = Readable.from(isJson ? jsonChunks(header, series) : byteChunks(header, series));
  body.on('error', (error) => report(`/api/points: ${error.stack ?? error.message}`));
  return reply.type(isJson ? 'application/json; charset=utf-8' : 'application/octet-stream').send(body);
}

async function* byteChunks(header: WireHeader, series: AsyncIterable<WireSeries>): AsyncGenerator<Buffer> {
  yield Buffer.from(encodeWireHeader(header).buffer);
  for await (const one of series) yield Buffer.from(encodeWireSeries(one).buffer);
}

/** Numbers that JSON cannot express are null. */
async function* jsonChunks(header: WireHeader, series: AsyncIterable<WireSeries>): AsyncGenerator<string> {
  const { series: _count, ...fields } = header;
  yield `${JSON.stringify(fields).slice(0, -1)},"series":[`;
  let separator = '';
  for await (const { columns, ...name } of series) {
    const named = WIRE_COLUMNS[header.kind].map((key, i) => [key, Array.from(columns[i] ?? [])]);
    yield `${separator}\n${JSON.stringify({ ...name, ...Object.fromEntries(named) })}`;
    separator = ',';
  }
  yield ']}\n';
}

function numbersOnly(columns: readonly StoredColumn[]): readonly StoredColumn[] {
  const numbers = columns.filter(({ type }) => type !== 'string');
  const [first] = columns;
  if (numbers.length > 0 || first === undefined) return numbers;
  throw badRequest(
    `"${first.field}" of "${first.measurement}" is text, and only numbers have columns here.`,
    'Ask /query for texts.',
  );
}

function bucketsOf(parameters: Parameters, columns: readonly StoredColumn[]): number {
  const buckets = requestedNumber(parameters, 'buckets', { most: MAX_BUCKETS, otherwise: DEFAULT_BUCKETS });
  if (buckets * columns.length <= MAX_ROWS) return buckets;
  throw badRequest(
    `${columns.length} series of ${buckets} buckets each are more than ${MAX_ROWS} rows.`,
    `Ask for fewer series, or for at most ${Math.floor(MAX_ROWS / columns.length)} buckets.`,
  );
}

/** Counts before anything is read: headers of blocks hold their counts. */
async function checkCounts(
  columns: readonly StoredColumn[],
  range: RequestedRange,
  stored: ColumnService['stored'],
): Promise<void> {
  let all = 0;
  for (const { number, measurement, field } of columns) {
    const { count } = await stored.buckets(number, range, 1);
    const points = count[0] ?? 0;
    all += points;
    const hint = 'Ask for a shorter range or fewer series, or for buckets instead of raw=1.';
    if (points > MAX_POINTS) {
      const what = `"${field}" of "${measurement}" has ${points} points in this range`;
      throw badRequest(`${what}, and raw=1 gives at most ${MAX_POINTS} of a series.`, hint);
    }
    if (all > MAX_ROWS) throw badRequest(`raw=1 gives at most ${MAX_ROWS} points at once.`, hint);
  }
}

function flagIn(parameters: Parameters, name: string): boolean {
  const text = single(parameters, name);
  if (text === undefined || text === '0') return false;
  if (text === '1') return true;
  throw badRequest(`"${name}" is "${text}".`, 'Give 1, or leave it out.');
}

/** Columns that are read: with more, the range of the first of them is good enough. */
const MAX_COLUMNS = 50;

/** GET /api/points/extent: the time range of the requested series, to begin a chart with. */
export function addExtent(app: FastifyInstance, service: Pick<ColumnService, 'reader' | 'stored'>): void {
  const { reader, stored } = service;
  app.get('/api/points/extent', { config: { doc: OTHER_DOCS.extent } }, async (request, reply) => {
    const columns = requestedColumns(parametersOf(request.query, []), reader);
    const numbers = columns.filter(({ type }) => type !== 'string').slice(0, MAX_COLUMNS);
    const range = await wholeRange(numbers, stored);
    if (range === undefined) return sendJson(reply, { series: numbers.length, count: 0 });
    let count = 0;
    // In one bucket, so that no block is decoded.
    for (const { number } of numbers) count += (await stored.buckets(number, range, 1)).count[0] ?? 0;
    return sendJson(reply, { series: numbers.length, count, fromMs: range.from.ms, toMs: range.to.ms });
  });
}

/** From the first point to just after the last one; undefined without points. */
async function wholeRange(
  columns: readonly StoredColumn[],
  stored: Pick<ColumnService['stored'], 'extent'>,
): Promise<RequestedRange | undefined> {
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { number } of columns.slice(0, MAX_COLUMNS)) {
    const extent = await stored.extent(number);
    if (extent === undefined) continue;
    fromMs = Math.min(fromMs, extent.first.ms);
    toMs = Math.max(toMs, extent.last.ms + 1);
  }
  return fromMs < toMs ? { from: { ms: fromMs, ns: 0 }, to: { ms: toMs, ns: 0 } } : undefined;
}
