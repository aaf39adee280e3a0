import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { KpiNumber, KpiPoint, Payload } from './kpi.ts';
import { parsePayloadTime } from './payload-time.ts';
import { seriesLabels } from './series-labels.ts';

/** The values of a document as points of their series, whoever wrote it. */
export function payloadPoints(payload: Payload): readonly KpiPoint[] {
  const start = payloadStart(payload);
  return Object.entries(payload.kpis).map(([name, kpi]) => ({
    name,
    help: textOf(kpi['help']),
    unit: textOf(kpi['unit']),
    value: kpiNumber(kpi),
    labels: seriesLabels(kpi),
    at: timeOf(kpi) ?? start,
  }));
}

/** Milliseconds since 1970; NaN when it is not known. */
export function payloadStart({ metadata }: Payload): number {
  return parsePayloadTime(textOf(metadata.start))?.at ?? Number.NaN;
}

function timeOf(kpi: JsonObject): number | undefined {
  return parsePayloadTime(textOf(kpi['@timestamp']))?.at;
}

/** The value of a KPI. Old documents have "12.5" and true as numbers. */
export function kpiNumber({ value = null }: JsonObject): KpiNumber {
  if (Array.isArray(value)) return value.map(Number).filter(Number.isFinite);
  if (value === null || value === '' || typeof value === 'object') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
