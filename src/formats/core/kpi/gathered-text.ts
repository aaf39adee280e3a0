import { csvCell } from '../../../platform/core/text/csv.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { formatKpiValue } from './format-value.ts';
import type { GatheredKpi } from './gather-kpis.ts';

/** For programs: everything that is known. */
export function gatheredJson({
  definition,
  value,
  interval,
  isFew,
  values,
  missing,
  labels,
}: GatheredKpi): JsonObject {
  const { name, unit, help, better } = definition;
  return {
    kpi: name,
    value,
    ...(interval && { interval: { ...interval }, is_few: isFew }),
    ...{ unit, help, better, values: [...values], missing, labels },
  };
}

const COLUMNS = ['kpi', 'value', 'low', 'high', 'level', 'count', 'missing', 'unit', 'better'];

export function gatheredCsv(kpis: readonly GatheredKpi[]): string {
  const labels = [...new Set(kpis.flatMap((kpi) => Object.keys(kpi.labels)))];
  const header = [...COLUMNS, ...labels.map((name) => (COLUMNS.includes(name) ? `label.${name}` : name))];
  const lines = kpis.map(({ definition, value, interval, values, missing, labels: own }) => [
    ...[definition.name, value, interval?.low, interval?.high, interval?.level].map(cell),
    ...[values.length, missing, definition.unit, definition.better].map(cell),
    ...labels.map((name) => cell(own[name])),
  ]);
  return [header, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

/** For people: a line for each KPI of each group of repetitions. */
export function gatheredLines(kpis: readonly GatheredKpi[]): string {
  const rows = kpis.map(({ definition, value, interval, isFew, values, missing, labels }) => {
    const set = Object.entries(labels).map(([name, label]) => `${name}=${cell(label)}`);
    const range = interval
      ? `[${number(definition, interval.low)}, ${number(definition, interval.high)}]`
      : '';
    const lost = missing > 0 ? `, ${missing} without` : '';
    return [
      definition.name,
      set.join(' '),
      formatKpiValue(plain(definition), value),
      range,
      `n=${values.length}${interval && isFew ? ', few' : ''}${lost}`,
    ];
  });
  const shown = [['kpi', 'settings', 'value', '95 % interval', ''], ...rows].map((cells) =>
    cells.map(visible),
  );
  const widths = [0, 1, 2, 3].map((at) => Math.max(...shown.map((cells) => cells[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => cells.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ');
  const few = kpis.some(({ interval, isFew }) => interval && isFew) ? FEW_NOTE : '';
  return `${shown.map((cells) => `${line(cells).trimEnd()}\n`).join('')}${few}`;
}

const FEW_NOTE = 'few: an interval out of fewer than 6 repetitions is narrower than 95 % asks for.\n';

/** A text for a whole list says nothing of its mean. */
function plain({ fullFormat: _, ...definition }: GatheredKpi['definition']): GatheredKpi['definition'] {
  return definition.format === undefined ? { ...definition, format: '{:.4g}' } : definition;
}

function number(definition: GatheredKpi['definition'], value: number): string {
  const { divisorUnit: _, ...bare } = plain(definition);
  return formatKpiValue({ ...bare, unit: '' }, value).trim();
}

function cell(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
