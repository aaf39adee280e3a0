import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { formatKpiValue } from './format-value.ts';
import type { KpiPoint, KpiValue } from './kpi.ts';
import { seriesLabels } from './series-labels.ts';

/** A KPI of a test, and where the test lies. */
export interface KpiRow extends KpiValue {
  readonly location: string;
}

/** For programs: everything that is known. */
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

/** Null where the start of the test is not known. */
export function timeText(at: number): string | null {
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
