import { payloadPoints, payloadStart } from '../../../core/kpi/payload-points.ts';
import type { KpiNumber, KpiPoint, Payload } from '../../../core/model/kpi.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Connection, toLimit } from './connection.ts';

type PayloadMethods = Pick<Store, 'savePayloads' | 'payloads' | 'latestKpis'>;
type KpiTuple = readonly [
  name: string,
  labels: string,
  at: number,
  help: string,
  unit: string,
  value: string | null,
];

export function payloadTables(connection: Connection): PayloadMethods {
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
  };
}

/** SQLite takes the other columns from the row that has the greatest time (https://sqlite.org/lang_select.html, bare columns). */
const LATEST = `
  SELECT name, labels, max(at), help, unit, value FROM kpi_values
  GROUP BY name, labels ORDER BY name, labels LIMIT ?`;

function save(connection: Connection, payload: Payload): void {
  const id = payload.metadata.test_uuid;
  const start = payloadStart(payload);
  connection.run('DELETE FROM payloads WHERE test_id = ?', [id]);
  connection.run('INSERT INTO payloads (test_id, at, document) VALUES (?, ?, ?)', [
    id,
    known(start),
    JSON.stringify(payload),
  ]);
  for (const { name, labels, at, help, unit, value } of payloadPoints(payload)) {
    connection.run(
      'INSERT INTO kpi_values (name, labels, at, test_id, help, unit, value) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [
        name,
        JSON.stringify(labels),
        known(at),
        id,
        help,
        unit,
        value === null ? null : JSON.stringify(value),
      ],
    );
  }
}

/** A time that is not known is older than all others. */
function known(at: number): number {
  return Number.isNaN(at) ? 0 : at;
}
