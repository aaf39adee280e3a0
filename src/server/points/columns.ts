import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PointEngine } from '../../app/points/point-engine.ts';
import {
  encodeWireHeader,
  encodeWireSeries,
  WIRE_COLUMNS,
  type WireHeader,
  type WireSeries,
} from '../../core/points/columns-wire.ts';
import type { PointReader } from '../../core/ports/point-reader.ts';
import type { StoredColumn } from '../../core/ports/point-shelf.ts';
import {
  type AskedRange,
  askedColumns,
  askedNumber,
  askedRange,
  type Parameters,
  parametersOf,
  refused,
  single,
} from './asked.ts';
import type { PointService } from './effects.ts';
import { seriesName } from './series-name.ts';

export interface ColumnService extends Pick<PointService, 'moment'> {
  readonly reader: PointReader;
  readonly stored: Pick<PointEngine, 'buckets'>;
  /** Told when an answer breaks off: its status has been sent by then. */
  report(line: string): void;
}

const MOST_BUCKETS = 10_000;
const SOME_BUCKETS = 500;
/** Of a series, where values are asked for as they were written. */
const MOST_POINTS = 100_000;
/** Of all series of one answer: 32 MB. */
const MOST_ROWS = 1_000_000;

/** GET /api/points: numbers of many series for charts, as columns of bytes or as JSON; docs/reference/points-api.md. */
export function addColumns(app: FastifyInstance, service: ColumnService): void {
  app.get('/api/points', { config: { doc: DOC } }, async (request, reply) => {
    const parameters = parametersOf(request.query, ['from', 'to', 'buckets', 'raw']);
    const range = askedRange(parameters, service.moment());
    const columns = numbersOnly(askedColumns(parameters, service.reader));
    const isRaw = flagIn(parameters, 'raw');
    const buckets = isRaw ? 0 : bucketsOf(parameters, columns);
    if (isRaw) await checkCounts(columns, range, service.stored);
    const kind = isRaw ? 'points' : 'buckets';
    const header = {
      kind,
      series: columns.length,
      fromMs: range.from.ms,
      toMs: range.to.ms,
      buckets,
    } as const;
    const series = isRaw ? rawSeries(columns, range, service) : bucketSeries(columns, header, service);
    return send({ request, reply, report: service.report }, header, series);
  });
}

const DOC = {
  summary: 'Numbers of many series for charts, as columns of bytes or as JSON',
  query: {
    database: 'the database',
    measurement: 'the measurement',
    'tag.KEY': 'value of a tag; several times for several values',
    field: 'the field',
    from: 'begin of the range',
    to: 'end of the range',
    buckets: `parts of the range, at most ${MOST_BUCKETS}`,
    raw: '1: values as they were written',
  },
  answer: { media: ['application/octet-stream', 'application/json'] },
};

interface Exchange extends Pick<ColumnService, 'report'> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Series by series: only one is in memory. */
function send(
  { request, reply, report }: Exchange,
  header: WireHeader,
  series: AsyncIterable<WireSeries>,
): FastifyReply {
  const isJson = /\bapplication\/json\b/.test(request.headers.accept ?? '');
  reply.header('cache-control', 'no-store').header('vary', 'Accept');
  const body = Readable.from(isJson ? jsonPieces(header, series) : bytePieces(header, series));
  body.on('error', (error) => report(`/api/points: ${error.stack ?? error.message}`));
  return reply.type(isJson ? 'application/json; charset=utf-8' : 'application/octet-stream').send(body);
}

async function* bytePieces(header: WireHeader, series: AsyncIterable<WireSeries>): AsyncGenerator<Buffer> {
  yield Buffer.from(encodeWireHeader(header).buffer);
  for await (const one of series) yield Buffer.from(encodeWireSeries(one).buffer);
}

/** What JSON has no number for is null. */
async function* jsonPieces(header: WireHeader, series: AsyncIterable<WireSeries>): AsyncGenerator<string> {
  const { series: _count, ...said } = header;
  yield `${JSON.stringify(said).slice(0, -1)},"series":[`;
  let separator = '';
  for await (const { columns, ...name } of series) {
    const named = WIRE_COLUMNS[header.kind].map((key, i) => [key, Array.from(columns[i] ?? [])]);
    yield `${separator}\n${JSON.stringify({ ...name, ...Object.fromEntries(named) })}`;
    separator = ',';
  }
  yield ']}\n';
}

/** Buckets without values are left out: where a series pauses there is a gap. */
async function* bucketSeries(
  columns: readonly StoredColumn[],
  { fromMs, toMs, buckets }: WireHeader,
  { stored }: ColumnService,
): AsyncGenerator<WireSeries> {
  const range = { from: { ms: fromMs, ns: 0 }, to: { ms: toMs, ns: 0 } };
  for (const column of columns) {
    const { count, min, max } = await stored.buckets(column.number, range, buckets);
    const places = Array.from(count.keys()).filter((place) => count[place] !== 0);
    const timeMs = Float64Array.from(places, (place) => fromMs + ((toMs - fromMs) * place) / buckets);
    const rest = [min, max, count].map((values) => Float64Array.from(places, (at) => values[at] as number));
    yield { ...seriesName(column), columns: [timeMs, ...rest] };
  }
}

async function* rawSeries(
  columns: readonly StoredColumn[],
  range: AskedRange,
  { reader }: ColumnService,
): AsyncGenerator<WireSeries> {
  for (const column of columns) {
    const { moments, numbers = new Float64Array(0) } = await reader.read(column.number, range);
    const timeMs = moments.ms.map((ms, i) => ms + (moments.ns[i] as number) / 1e6);
    yield { ...seriesName(column), columns: [timeMs, numbers] };
  }
}

function numbersOnly(columns: readonly StoredColumn[]): readonly StoredColumn[] {
  const numbers = columns.filter(({ type }) => type !== 'string');
  const [first] = columns;
  if (numbers.length > 0 || first === undefined) return numbers;
  throw refused(
    `"${first.field}" of "${first.measurement}" is text, and only numbers have columns here.`,
    'Ask /query for texts.',
  );
}

function bucketsOf(parameters: Parameters, columns: readonly StoredColumn[]): number {
  const buckets = askedNumber(parameters, 'buckets', { most: MOST_BUCKETS, otherwise: SOME_BUCKETS });
  if (buckets * columns.length <= MOST_ROWS) return buckets;
  throw refused(
    `${columns.length} series of ${buckets} buckets each are more than ${MOST_ROWS} rows.`,
    `Ask for fewer series, or for at most ${Math.floor(MOST_ROWS / columns.length)} buckets.`,
  );
}

/** Counted before anything is read: whole blocks say how many they hold. */
async function checkCounts(
  columns: readonly StoredColumn[],
  range: AskedRange,
  stored: ColumnService['stored'],
): Promise<void> {
  let all = 0;
  for (const { number, measurement, field } of columns) {
    const { count } = await stored.buckets(number, range, 1);
    const points = count[0] ?? 0;
    all += points;
    const hint = 'Ask for a shorter range or fewer series, or for buckets instead of raw=1.';
    if (points > MOST_POINTS) {
      const what = `"${field}" of "${measurement}" has ${points} points in this range`;
      throw refused(`${what}, and raw=1 gives at most ${MOST_POINTS} of a series.`, hint);
    }
    if (all > MOST_ROWS) throw refused(`raw=1 gives at most ${MOST_ROWS} points at once.`, hint);
  }
}

function flagIn(parameters: Parameters, name: string): boolean {
  const text = single(parameters, name);
  if (text === undefined || text === '0') return false;
  if (text === '1') return true;
  throw refused(`"${name}" is "${text}".`, 'Give 1, or leave it out.');
}
