import type { KpiNumber, KpiPoint, KpiSeries, Payload } from '../../../formats/core/kpi/kpi.ts';
import { payloadDirections, payloadPoints, payloadStart } from '../../../formats/core/kpi/read-payload.ts';
import { type SqliteConnection, toLimit } from '../../../platform/adapters/sqlite.ts';
import { median } from '../../../stats/summary.ts';
import { seriesKey } from '../../core/changes/change.ts';
import { directionFinder } from '../../core/changes/directions.ts';
import type { History, HistoryQuery, Store } from '../../core/store.ts';
import { readDirections } from './direction-table.ts';
import { outdateJudgement } from './judgement-table.ts';

type PayloadMethods = Pick<Store, 'savePayloads' | 'payloads' | 'latestKpis' | 'kpiSeries' | 'kpiHistory'>;
type KpiTuple = readonly [
  name: string,
  labels: string,
  at: number,
  help: string,
  unit: string,
  value: string | null,
];

export function payloadTables(connection: SqliteConnection): PayloadMethods {
  return {
    async savePayloads(payloads) {
      connection.atomically(() => {
        for (const payload of payloads) save(connection, payload);
      });
    },

    async payloads({ limit, from, to }) {
      const rows = connection.all<readonly [document: string]>(
        'SELECT document FROM payloads WHERE at >= ? AND at <= ? ORDER BY at DESC, test_id DESC LIMIT ?',
        [from ?? -Infinity, to ?? Infinity, toLimit(limit)],
      );
      return rows.reverse().map(([document]) => JSON.parse(document) as Payload);
    },

    latestKpis: async ({ limit }) =>
      connection.all<KpiTuple>(LATEST, [toLimit(limit)]).map(([name, labels, at, help, unit, value]) => ({
        name,
        labels: JSON.parse(labels) as KpiPoint['labels'],
        at,
        help,
        unit,
        value: value === null ? null : (JSON.parse(value) as KpiNumber),
      })),

    kpiSeries: async ({ limit, testId }) =>
      (testId === undefined
        ? connection.all<KpiSeriesTuple>(SERIES, [toLimit(limit)])
        : connection.all<KpiSeriesTuple>(SERIES_OF_TEST, [testId, toLimit(limit)])
      ).map(toKpiSeries(directionFinder(readDirections(connection)))),

    kpiHistory: async ({ name, labels }, query) =>
      readHistory(connection, [name, JSON.stringify(labels)], query),
  };
}

type KpiSeriesTuple = readonly [
  name: string,
  labels: string,
  unit: string,
  better: KpiSeries['better'],
  ignored: number,
];

function toKpiSeries(directionOf: ReturnType<typeof directionFinder>) {
  return ([name, labelText, unit, better, ignored]: KpiSeriesTuple): KpiSeries => {
    const labels = JSON.parse(labelText) as KpiSeries['labels'];
    const direction = directionOf({ series: { kind: 'kpi', name, labels }, unit, better });
    return { name, labels, unit, ...direction, isIgnored: ignored === 1 };
  };
}

/** Unit and direction are those of the newest test: see LATEST. */
const SERIES = `
  SELECT name, labels, unit, better, ignored FROM (
    SELECT name, labels, unit, better, ignored, max(at) FROM kpi_values GROUP BY name, labels
  ) ORDER BY name, labels LIMIT ?`;
const SERIES_OF_TEST = `
  SELECT name, labels, unit, better, ignored FROM kpi_values WHERE test_id = ? ORDER BY name, labels LIMIT ?`;

function readHistory(
  connection: SqliteConnection,
  key: readonly [name: string, labels: string],
  { limit, from, to }: HistoryQuery,
): History {
  const rows = connection.all<readonly [at: number, value: string | null, testId: string]>(
    `SELECT at, value, test_id FROM kpi_values WHERE name = ? AND labels = ? AND at >= ? AND at <= ?
     ORDER BY at DESC, test_id DESC LIMIT ?`,
    [...key, from ?? -Infinity, to ?? Infinity, toLimit(limit)],
  );
  rows.reverse();
  return {
    times: Float64Array.from(rows, ([at]) => at),
    values: Float64Array.from(rows, ([, value]) => oneNumber(value)),
    runIds: rows.map(([, , testId]) => testId),
  };
}

function oneNumber(text: string | null): number {
  const value = text === null ? null : (JSON.parse(text) as KpiNumber);
  if (value === null) return Number.NaN;
  return typeof value === 'number' ? value : value.length === 0 ? Number.NaN : median(value);
}

/** SQLite takes the other columns from the row that has the greatest time (https://sqlite.org/lang_select.html, bare columns). */
const LATEST = `
  SELECT name, labels, max(at), help, unit, value FROM kpi_values
  GROUP BY name, labels ORDER BY name, labels LIMIT ?`;

function save(connection: SqliteConnection, payload: Payload): void {
  const id = payload.metadata.test_uuid;
  const start = payloadStart(payload);
  connection.run('DELETE FROM payloads WHERE test_id = ?', [id]);
  connection.run('INSERT INTO payloads (test_id, at, document) VALUES (?, ?, ?)', [
    id,
    known(start),
    JSON.stringify(payload),
  ]);
  const directions = payloadDirections(payload);
  for (const { name, labels, at, help, unit, value } of payloadPoints(payload)) {
    const { better, isIgnored } = directions.get(name) ?? { better: 'unknown', isIgnored: false };
    outdateJudgement(connection, seriesKey({ kind: 'kpi', name, labels }));
    connection.run(
      `INSERT INTO kpi_values (name, labels, at, test_id, help, unit, value, better, ignored)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        name,
        JSON.stringify(labels),
        known(at),
        id,
        help,
        unit,
        value === null ? null : JSON.stringify(value),
        better,
        isIgnored,
      ],
    );
  }
}

/** A time that is unknown is older than all others. */
function known(at: number): number {
  return Number.isNaN(at) ? 0 : at;
}
