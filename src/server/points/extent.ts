import type { FastifyInstance } from 'fastify';
import type { Moment } from '../../core/model/points.ts';
import type { StoredColumn } from '../../core/ports/point-shelf.ts';
import { OTHER_DOCS } from '../routes/other-docs.ts';
import { sendJson } from '../send.ts';
import { askedColumns, parametersOf } from './asked.ts';
import type { ColumnService } from './columns.ts';

/** Columns that are looked at: with more, a range that holds the first of them is good enough. */
const MOST_COLUMNS = 50;
/** From 1970 to 2262: what nanoseconds in 64 bits can hold. */
const ALL: Extent = { fromMs: 0, toMs: 9_223_372_036_000 };
const BUCKETS = 1_000;
/** Each look makes the range a thousand times finer: 292 years, 0.3 years, 2.6 hours, 9 s. */
const LOOKS = 4;
/** Buckets that hold something. */
const FINE_ENOUGH = 50;

interface Extent {
  readonly fromMs: number;
  readonly toMs: number;
}

/** GET /api/points/extent: a range that holds all points of the series asked for, to begin a chart with. */
export function addExtent(app: FastifyInstance, service: Pick<ColumnService, 'reader' | 'stored'>): void {
  app.get('/api/points/extent', { config: { doc: OTHER_DOCS.extent } }, async (request, reply) => {
    const columns = askedColumns(parametersOf(request.query, []), service.reader);
    const numbers = columns.filter(({ type }) => type !== 'string').slice(0, MOST_COLUMNS);
    const found = [];
    for (const column of numbers) found.push(await extentOf(column, service));
    const some = found.filter((one) => one !== undefined);
    if (some.length === 0) return sendJson(reply, { series: numbers.length, count: 0 });
    return sendJson(reply, {
      series: numbers.length,
      count: some.reduce((sum, one) => sum + one.count, 0),
      fromMs: Math.min(...some.map(({ fromMs }) => fromMs)),
      toMs: Math.max(...some.map(({ toMs }) => toMs)),
    });
  });
}

/** Blocks that lie within a bucket are not decoded: the first looks cost next to nothing. */
async function extentOf({ number }: StoredColumn, { stored }: Pick<ColumnService, 'stored'>) {
  let range = ALL;
  let all = 0;
  for (let look = 0; look < LOOKS && range.toMs - range.fromMs > BUCKETS; look++) {
    const { count } = await stored.buckets(number, momentsOf(range), BUCKETS);
    const first = count.findIndex((one) => one > 0);
    if (first < 0) return undefined;
    if (look === 0) all = count.reduce((sum, one) => sum + one, 0);
    const last = count.findLastIndex((one) => one > 0);
    const { fromMs, toMs } = range;
    const at = (place: number) => fromMs + ((toMs - fromMs) * place) / BUCKETS;
    const next = { fromMs: Math.floor(at(first)), toMs: Math.ceil(at(last + 1)) };
    if (next.fromMs === fromMs && next.toMs === toMs) break;
    range = next;
    // Known to about a hundredth: a finer look would have to decode every block.
    if (last - first >= FINE_ENOUGH) break;
  }
  return { ...range, count: all };
}

function momentsOf({ fromMs, toMs }: Extent): { readonly from: Moment; readonly to: Moment } {
  return { from: { ms: fromMs, ns: 0 }, to: { ms: toMs, ns: 0 } };
}
