import { csvCell } from '../../../platform/core/text/csv.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { type KpiRow, timeText } from './kpi-row.ts';

const COLUMNS = ['kpi', 'value', 'unit', 'better', 'timestamp', 'test_uuid', 'location'];

/** One line for each KPI of each test; a missing value is an empty cell, a list is JSON. Labels follow, as they appear first. */
export function kpiCsv(rows: readonly KpiRow[]): string {
  const labels = [...new Set(rows.flatMap((row) => Object.keys(row.labels)))];
  const header = [...COLUMNS, ...labels.map((name) => (COLUMNS.includes(name) ? `label.${name}` : name))];
  const lines = rows.map(({ definition, value, at, testId, location, labels: own }) => [
    ...[definition.name, text(value as JsonValue), definition.unit, definition.better],
    ...[timeText(at) ?? '', testId, location],
    ...labels.map((name) => text(Object.hasOwn(own, name) ? (own[name] ?? null) : null)),
  ]);
  return [header, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

function text(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
