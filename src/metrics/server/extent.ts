import type { FastifyInstance } from 'fastify';
import { OTHER_DOCS } from '../../platform/server/other-docs.ts';
import { sendJson } from '../../platform/server/send.ts';
import type { StoredColumn } from '../core/points/point-storage.ts';
import { type AskedRange, askedColumns, parametersOf } from './asked.ts';
import type { ColumnService } from './columns.ts';

/** Columns that are looked at: with more, a range that holds the first of them is good enough. */
const MOST_COLUMNS = 50;

/** GET /api/points/extent: a range that holds all points of the series asked for, to begin a chart with. */
export function addExtent(app: FastifyInstance, service: Pick<ColumnService, 'reader' | 'stored'>): void {
  const { reader, stored } = service;
  app.get('/api/points/extent', { config: { doc: OTHER_DOCS.extent } }, async (request, reply) => {
    const columns = askedColumns(parametersOf(request.query, []), reader);
    const numbers = columns.filter(({ type }) => type !== 'string').slice(0, MOST_COLUMNS);
    const range = await wholeRange(numbers, stored);
    if (range === undefined) return sendJson(reply, { series: numbers.length, count: 0 });
    let count = 0;
    // In one bucket, so that no block is decoded.
    for (const { number } of numbers) count += (await stored.buckets(number, range, 1)).count[0] ?? 0;
    return sendJson(reply, { series: numbers.length, count, fromMs: range.from.ms, toMs: range.to.ms });
  });
}

/** From the first point to just after the last one; undefined where there is none. */
export async function wholeRange(
  columns: readonly StoredColumn[],
  stored: Pick<ColumnService['stored'], 'extent'>,
): Promise<AskedRange | undefined> {
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { number } of columns.slice(0, MOST_COLUMNS)) {
    const extent = await stored.extent(number);
    if (extent === undefined) continue;
    fromMs = Math.min(fromMs, extent.first.ms);
    toMs = Math.max(toMs, extent.last.ms + 1);
  }
  return fromMs < toMs ? { from: { ms: fromMs, ns: 0 }, to: { ms: toMs, ns: 0 } } : undefined;
}
