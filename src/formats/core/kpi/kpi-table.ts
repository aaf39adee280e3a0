import type { JsonValue } from '../../../platform/core/text/json.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { formatKpiValue } from './format-value.ts';
import type { KpiRow } from './kpi-row.ts';
import { seriesLabels } from './series-labels.ts';

/** For people: a line for each test, a column for each KPI, and in front the labels in which the tests differ. */
export function kpiTable(rows: readonly KpiRow[]): string {
  const tests = new Map<string, KpiRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.location, row.labels]);
    const group = tests.get(key);
    if (group) group.push(row);
    else tests.set(key, [row]);
  }
  const groups = [...tests.values()];
  const labels = varyingLabels(groups);
  const kpis = [...new Set(rows.map(({ definition }) => definition.name))];
  const head = [...(labels.length > 0 ? labels : ['test']), ...kpis];
  const body = groups.map((group) => [...nameCells(group, labels), ...kpis.map((kpi) => cellOf(group, kpi))]);
  return aligned([head, ...body], head.length - kpis.length);
}

/** A list longer than this is shown by its first values and how many there are. */
const MAX_VALUES = 4;

function cellOf(group: readonly KpiRow[], kpi: string): string {
  const row = group.find(({ definition }) => definition.name === kpi);
  if (!row) return '';
  const { definition, value, labels } = row;
  if (
    typeof value !== 'object' ||
    value === null ||
    value.length <= MAX_VALUES ||
    definition.fullFormat !== undefined
  ) {
    return formatKpiValue(definition, value, labels);
  }
  return `${formatKpiValue(definition, value.slice(0, MAX_VALUES), labels)} (first of ${value.length})`;
}

function varyingLabels(groups: readonly (readonly KpiRow[])[]): readonly string[] {
  const values = new Map<string, Set<string>>();
  for (const [row] of groups) {
    for (const [name, value] of Object.entries(seriesLabels(row?.labels ?? {}))) {
      values.set(name, (values.get(name) ?? new Set()).add(JSON.stringify(value)));
    }
  }
  return [...values].filter(([, all]) => all.size > 1).map(([name]) => name);
}

function nameCells([row]: readonly KpiRow[], labels: readonly string[]): readonly string[] {
  if (!row) return [];
  return labels.length === 0 ? [row.location] : labels.map((name) => labelText(row.labels[name]));
}

function labelText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** Names to the left, values to the right. */
function aligned(lines: readonly (readonly string[])[], names: number): string {
  const shown = lines.map((cells) => cells.map(visible));
  const widths =
    shown[0]?.map((_, column) =>
      shown.reduce((most, cells) => Math.max(most, cells[column]?.length ?? 0), 0),
    ) ?? [];
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) =>
      column < names ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
  return shown.map((cells) => `${line(cells).join('  ').trimEnd()}\n`).join('');
}
