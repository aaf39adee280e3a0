import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { BetterFrom } from '../sample.ts';

/** A named value that is followed for years. */
export interface KpiDefinition {
  readonly name: string;
  readonly help: string;
  readonly unit: string;
  /** Unknown is a warning when it is to be judged. */
  readonly better: 'lower' | 'higher' | 'unknown';
  /** Absent: the definition says it, or it is unknown. */
  readonly betterFrom?: 'inferred';
  readonly isIgnoredForRegression: boolean;
  /** Python-like: "{:.2f}". */
  readonly format?: string;
  /** The whole text, for values that need more than a number and a unit: "{p50:.1f} ms, at most {max:.1f} ms". */
  readonly fullFormat?: string;
  /** The value is divided by it before it is formatted, and shown in `divisorUnit`. */
  readonly divisor?: number;
  readonly divisorUnit?: string;
}

export type KpiNumber = number | readonly number[] | null;

/** One KPI of one test. */
export interface KpiValue {
  readonly definition: KpiDefinition;
  readonly value: KpiNumber;
  readonly labels: JsonObject;
  /** Start of the test: milliseconds since 1970. */
  readonly at: number;
  readonly testId: string;
  /** Why there is no value. */
  readonly problem?: string;
}

/** One value of a series, as it is followed over time. */
export interface KpiPoint {
  readonly name: string;
  readonly help: string;
  readonly unit: string;
  readonly value: KpiNumber;
  /** Of the series; what one test alone has is left out. */
  readonly labels: JsonObject;
  /** Milliseconds since 1970; NaN when it is unknown. */
  readonly at: number;
}

/** All values of a KPI that share their labels. */
export interface KpiSeries {
  readonly name: string;
  readonly labels: JsonObject;
  readonly unit: string;
  readonly better: 'lower' | 'higher' | 'unknown';
  /** Absent: the direction is unknown. */
  readonly betterFrom?: BetterFrom;
  /** Its definition says that it is not judged. */
  readonly isIgnored: boolean;
}

/** What is kept for years of one test: the old stores' document. Field names are theirs. */
export interface Payload {
  readonly metadata: PayloadMetadata;
  readonly results: JsonValue;
  readonly kpis: Readonly<Record<string, JsonObject>>;
}

interface PayloadMetadata {
  readonly start: string;
  readonly end: string;
  readonly test_uuid: string;
  readonly settings: JsonObject;
  readonly exit_code?: number;
  readonly [more: string]: JsonValue | undefined;
}

/** Bookkeeping of one test, never compared: it does not identify a series. */
const OF_ONE_TEST: ReadonlySet<string> = new Set([
  ...['kpi_settings_version', 'lts_schema_version', 'help', 'unit', '@timestamp', 'value', 'run_id', 'urls'],
  ...['test_path', 'ci_engine', 'test_uuid', 'exit_code', 'format', 'full_format', 'ignored_for_regression'],
  ...['divisor', 'divisor_unit', 'lower_better', 'status'],
]);

/** The labels that identify a series of a KPI, sorted by name. */
export function seriesLabels(labels: JsonObject): JsonObject {
  const kept = Object.entries(labels).filter(([name]) => !OF_ONE_TEST.has(name));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
