import type { JsonObject, JsonValue } from '../../../../platform/core/text/json.ts';

/** Where the x values of a curve are kept in a payload; its `value` has the y values. */
export const CURVE_X = 'x_values';
const CURVE_FACTS = ['x_unit', 'x_help', 'y_unit', 'y_help'];

/** A KPI of a payload as Caliper writes it. */
export function kpiRecord(id: string, kpi: JsonObject): JsonObject {
  const { value, help = '', unit = '', lower_better: isLowerBetter } = kpi;
  const x = kpi[CURVE_X];
  const facts = {
    id,
    name: id,
    help,
    ...(typeof isLowerBetter === 'boolean' && { higher_is_better: !isLowerBetter }),
  };
  if (!Array.isArray(x) || !Array.isArray(value)) {
    return { ...facts, is_curve: false, unit, ...(value !== undefined && { value }) };
  }
  const values = value.map((y: JsonValue, at: number) => [x[at] ?? null, y]);
  return { ...facts, is_curve: true, y_unit: unit, ...pick(kpi, CURVE_FACTS), values };
}

/** The name, and the fields in which Caliper's KPIs and those of payloads differ, from any of its versions. */
export function readKpiRecord(record: JsonObject): { readonly id: string; readonly kpi: JsonObject } {
  const { labels } = record as { labels?: JsonObject };
  const isHigherBetter = record['higher_is_better'] ?? labels?.['higher_is_better'];
  const direction = typeof isHigherBetter === 'boolean' ? { lower_better: !isHigherBetter } : {};
  const points = curveOf(record);
  const facts = {
    help: record['help'] ?? '',
    unit: record['unit'] ?? record['y_unit'] ?? '',
    ...direction,
    ...pick(record, ['format']),
  };
  const id = String(record['kpi_id'] ?? record['id'] ?? '');
  if (!points) return { id, kpi: { ...facts, value: record['value'] ?? null } };
  const [x, y] = [points.map((point) => point[0] ?? null), points.map((point) => point[1] ?? null)];
  return { id, kpi: { ...facts, ...pick(record, CURVE_FACTS), [CURVE_X]: x, value: y } };
}

/** Pairs of x and y: a list of pairs, under either name, or a list of {x, y} below data_points. */
function curveOf(record: JsonObject): readonly (readonly JsonValue[])[] | undefined {
  if (record['is_curve'] !== true && record['is_2d'] !== true) return undefined;
  const { values, value } = record as { values?: JsonValue; value?: JsonValue };
  const listed = Array.isArray(values) ? values : value;
  if (Array.isArray(listed)) return listed.map((point: JsonValue) => (Array.isArray(point) ? point : []));
  const { data_points: points } = (listed ?? {}) as { data_points?: readonly JsonObject[] };
  return points?.map(({ x = null, y = null }) => [x, y]);
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = Object.hasOwn(from, name) ? from[name] : undefined;
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}
