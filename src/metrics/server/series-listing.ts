import type { FastifyInstance } from 'fastify';
import { compareNaturally } from '../../platform/core/text/text-order.ts';
import { count, fields, list, mapOf, text } from '../../platform/server/route-config.ts';
import { sendJson } from '../../platform/server/send.ts';
import type { PointReader } from '../core/points/point-reader.ts';
import type { StoredColumn } from '../core/points/point-storage.ts';
import type { ColumnValues } from '../core/points/points.ts';
import { seriesName } from './chart-series.ts';
import {
  badRequest,
  matching,
  type Parameters,
  parametersOf,
  requestedColumns,
  requestedDatabase,
  requestedNumber,
  single,
} from './point-parameters.ts';

const DEFAULT_LISTED = 1_000;
const MAX_LISTED = 10_000;

/** Lists of series, and the newest value of each. */
export function addListing(app: FastifyInstance, reader: PointReader): void {
  app.get('/api/points/series', { config: { doc: DOCS.series } }, async (request, reply) => {
    const parameters = parametersOf(request.query, ['filter', 'limit', 'only']);
    if (!parameters.has('database')) return sendJson(reply, { databases: reader.databases() });
    return sendJson(reply, listSeries(parameters, reader));
  });

  app.get('/api/points/latest', { config: { doc: DOCS.latest } }, async (request, reply) => {
    const columns = requestedColumns(parametersOf(request.query, []), reader);
    const newest = await reader.latest(columns.map(({ number }) => number));
    const series = columns.map((column, i) => ({ ...seriesName(column), ...newestOf(newest[i]) }));
    return sendJson(reply, { series });
  });
}

const NAMES = {
  database: 'the database',
  measurement: 'the measurement',
  'tag.KEY': 'value of a tag; several times for several values',
  field: 'the field',
};
const tags = mapOf(text);
const DOCS = {
  series: {
    summary: 'Which series there are; without "database" which databases',
    query: {
      ...NAMES,
      filter: 'a part of any name or value',
      limit: `at most ${MAX_LISTED}`,
      only: 'measurements: without their series',
    },
    answer: fields({
      'databases?': list(text),
      'database?': text,
      'measurements?': list(
        fields({ measurement: text, series: count, fields: list(text), tagKeys: list(text) }),
      ),
      'series?': list(fields({ measurement: text, tags, fields: mapOf(text) })),
    }),
  },
  latest: {
    summary: 'The newest value of each series',
    query: NAMES,
    answer: fields({ series: list(fields({ measurement: text, tags, field: text })) }),
  },
};

interface ListedSeries {
  readonly measurement: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly fields: Record<string, string>;
}

/** Series with their fields, and measurements with the keys of their tags; `filter` is a part of any name or value. */
function listSeries(parameters: Parameters, reader: PointReader) {
  const database = requestedDatabase(parameters, reader);
  const limit = requestedNumber(parameters, 'limit', { most: MAX_LISTED, otherwise: DEFAULT_LISTED });
  const isShort = onlyMeasurements(parameters);
  const filter = (single(parameters, 'filter') ?? '').toLowerCase();
  const [series, measurements] = [new Map<string, ListedSeries>(), new Map<string, ListedMeasurement>()];
  for (const column of matching(parameters, reader.columns(database))) {
    if (filter !== '' && !nameText(column).includes(filter)) continue;
    const { measurement, tags, field, type } = column;
    const key = JSON.stringify([measurement, tags]);
    const known = series.get(key);
    // Without a prototype: a field may be called anything, __proto__ too.
    const one = known ?? { measurement, tags: Object.fromEntries(tags), fields: Object.create(null) };
    one.fields[field] = type;
    series.set(key, one);
    const group = measurements.get(measurement) ?? { series: 0, fields: new Set(), tagKeys: new Set() };
    if (known === undefined) group.series++;
    group.fields.add(field);
    for (const [tag] of tags) group.tagKeys.add(tag);
    measurements.set(measurement, group);
  }
  return {
    database,
    matched: { measurements: measurements.size, series: series.size },
    measurements: [...measurements].slice(0, limit).map(([measurement, group]) => ({
      measurement,
      series: group.series,
      fields: [...group.fields].sort(compareNaturally),
      tagKeys: [...group.tagKeys].sort(compareNaturally),
    })),
    ...(!isShort && { series: [...series.values()].slice(0, limit) }),
  };
}

/** A list of measurements needs no series, of which there may be thousands. */
function onlyMeasurements(parameters: Parameters): boolean {
  const only = single(parameters, 'only');
  if (only === undefined || only === 'measurements') return only !== undefined;
  throw badRequest(`"only" is "${only}".`, 'Give measurements, or leave it out.');
}

interface ListedMeasurement {
  series: number;
  readonly fields: Set<string>;
  readonly tagKeys: Set<string>;
}

function nameText({ measurement, tags, field }: StoredColumn): string {
  const pairs = tags.map(([key, value]) => `${key}=${value}`);
  return [measurement, ...pairs, field].join(',').toLowerCase();
}

/** Lossless: nanoseconds and large integers are strings, as JSON has no such numbers. */
function newestOf(values: ColumnValues | undefined) {
  const [ms, ns] = [values?.timestamps.ms[0], values?.timestamps.ns[0]];
  if (values === undefined || ms === undefined || ns === undefined) return {};
  const { type, numbers, bigints, strings } = values;
  const number = type === 'boolean' ? numbers?.[0] === 1 : numbers?.[0];
  const value = strings?.[0] ?? bigints?.[0]?.toString() ?? number;
  return { timeMs: ms + ns / 1e6, timeNs: String(BigInt(ms) * 1_000_000n + BigInt(ns)), value };
}
