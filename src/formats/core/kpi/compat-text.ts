import { pythonFloat, pythonRepr } from '../../../platform/core/python/python-values.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Payload } from './kpi.ts';

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
