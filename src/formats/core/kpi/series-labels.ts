import type { JsonObject } from '../../../platform/core/text/json.ts';

/** Bookkeeping of one test, never compared: it is no part of what a series is known by. */
const OF_ONE_TEST: ReadonlySet<string> = new Set([
  ...['kpi_settings_version', 'lts_schema_version', 'help', 'unit', '@timestamp', 'value', 'run_id', 'urls'],
  ...['test_path', 'ci_engine', 'test_uuid', 'exit_code', 'format', 'full_format', 'ignored_for_regression'],
  ...['divisor', 'divisor_unit', 'lower_better', 'status'],
]);

/** The labels that tell one series of a KPI from another, sorted by name. */
export function seriesLabels(labels: JsonObject): JsonObject {
  const kept = Object.entries(labels).filter(([name]) => !OF_ONE_TEST.has(name));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
