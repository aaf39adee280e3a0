import { pythonFloat, pythonRepr } from '../../../platform/core/python/python-values.ts';
import { csvCell } from '../../../platform/core/text/csv.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { type KpiPoint, type KpiValue, type Payload, seriesLabels } from './kpi.ts';
import { formatKpiValue } from './kpi-format.ts';

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

/** A KPI of a test, and where the test lies. */
interface KpiRow extends KpiValue {
  readonly location: string;
}

/** For programs: all fields. */
export function kpiJson({ definition, value, labels, at, testId, location, problem }: KpiRow): JsonObject {
  return {
    kpi: definition.name,
    value: value as JsonValue, // a KpiNumber is JSON
    text: formatKpiValue(definition, value, labels),
    unit: definition.unit,
    help: definition.help,
    better: definition.better,
    ignored_for_regression: definition.isIgnoredForRegression,
    timestamp: timeText(at),
    test_uuid: testId,
    location,
    labels,
    ...(problem !== undefined && { problem }),
  };
}

export function kpiPoint({ definition, value, labels, at }: KpiRow): KpiPoint {
  const { name, help, unit } = definition;
  return { name, help, unit, value, at, labels: seriesLabels(labels) };
}

/** Null where the start of the test is unknown. */
function timeText(at: number): string | null {
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** The KPIs of a payload as the original prints them, for who compares its text. No Prometheus reads this: see openMetricsText. */
export function compatText({ kpis }: Payload): string {
  return Object.entries(kpis)
    .map(([name, kpi]) => compatKpi(name, kpi))
    .join('');
}

/** In this order behind the labels; what a document lacks has its usual value. */
const BOOKKEEPING: readonly (readonly [name: string, usual: JsonValue])[] = [
  ['test_uuid', null],
  ['lower_better', null],
  ['status', 'Valid'],
  ['ignored_for_regression', false],
  ['format', null],
  ['full_format', null],
  ['divisor', null],
  ['divisor_unit', null],
];
const NO_LABELS = new Set(['help', 'unit', 'value', '@timestamp', ...BOOKKEEPING.map(([name]) => name)]);

function compatKpi(name: string, kpi: JsonObject): string {
  const labels = Object.entries(kpi).filter(([key]) => !NO_LABELS.has(key));
  const fields = [...labels, ...BOOKKEEPING.map(([key, usual]) => [key, kpi[key] ?? usual] as const)];
  // A divisor is a float there, whatever was written.
  const text = ([key, value]: readonly [string, JsonValue]) =>
    typeof value === 'string' ? value : key === 'divisor' ? floats(value) : pythonRepr(value);
  const list = fields.map((field) => `${field[0]}="${text(field)}"`).join(', ');
  return `# HELP ${kpi['help']}, in ${kpi['unit']}\n${name}{${list}} ${floats(kpi['value'] ?? null)} ${kpi['unit']}\n`;
}

function floats(value: JsonValue): string {
  if (typeof value === 'number') return pythonFloat(value);
  return Array.isArray(value) ? `[${value.map(floats).join(', ')}]` : pythonRepr(value);
}
