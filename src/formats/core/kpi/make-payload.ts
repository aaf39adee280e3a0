import { messageOf } from '../../../platform/core/errors.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { KpiDefinition, KpiNumber, KpiValue, Payload } from './kpi.ts';
import type { MatrixEntry } from './matrix-entry.ts';
import { type PayloadTime, parsePayloadTime } from './read-payload.ts';
import type { PayloadRules, Workload, WorkloadKpi } from './workload.ts';

/** What is kept of a test, and its KPIs one by one. */
export interface MadePayload {
  readonly payload: Payload;
  readonly values: readonly KpiValue[];
}

/** Computes the KPIs of a test and makes its document. A KPI that throws has no value, and says why. */
export function makePayload(entry: MatrixEntry, kpis: Workload['kpis'], rules: PayloadRules): MadePayload {
  const labels = rules.labels(entry);
  const metadata = metadataOf(entry, labels, rules);
  const results = rules.results(entry);
  const start = typeof metadata['start'] === 'string' ? parsePayloadTime(metadata['start']) : undefined;
  const testId = String(metadata['test_uuid'] ?? '');
  const base = { metadata, results };
  const values = kpis.map((kpi): KpiValue => {
    const { definition } = kpi;
    return { definition, labels, testId, at: start?.at ?? Number.NaN, ...computed(kpi, base, entry) };
  });
  const documents = values.map((value) => [value.definition.name, kpiDocument(value, start)] as const);
  // Its metadata was put together by `metadataOf`; whether everything is there is for the validation to say.
  const payload = { metadata, results, kpis: Object.fromEntries(documents) } as unknown as Payload;
  return { payload, values };
}

/** Documents of the old stores say which form they have; workloads of today need not. */
const SCHEMA_VERSION = '1.0';

function metadataOf(entry: MatrixEntry, labels: JsonObject, rules: PayloadRules): JsonObject {
  const own = rules.metadata(entry);
  const given = (name: string) => {
    const value = own[name] ?? (name === 'test_uuid' ? undefined : entry.results[name]);
    return value === undefined ? {} : { [name]: value };
  };
  // The fields that all have come first, whatever order the workload gives them.
  return {
    lts_schema_version: SCHEMA_VERSION,
    ...given('start'),
    ...given('end'),
    ...given('test_uuid'),
    ...own,
    settings: labels,
    ...(entry.exitCode !== null && { exit_code: entry.exitCode }),
  };
}

function computed(
  { definition, value }: WorkloadKpi,
  payload: JsonObject,
  entry: MatrixEntry,
): { readonly value: KpiNumber; readonly problem?: string } {
  try {
    const found: unknown = value(payload, entry);
    if (found === null || found === undefined)
      return { value: null, problem: `${definition.name} has no value` };
    if (typeof found === 'number' && Number.isFinite(found)) return { value: found };
    if (Array.isArray(found) && found.every(Number.isFinite)) return { value: found };
    return { value: null, problem: `${definition.name} is not a number: ${String(found).slice(0, 60)}` };
  } catch (error) {
    return { value: null, problem: `${definition.name}: ${messageOf(error)}` };
  }
}

/** The record of one KPI: what it means, of which test it is, and the value. */
function kpiDocument(
  { definition, value, labels, testId }: KpiValue,
  start: PayloadTime | undefined,
): JsonObject {
  return {
    help: definition.help,
    unit: definition.unit,
    ignored_for_regression: definition.isIgnoredForRegression,
    format: definition.format ?? null,
    full_format: definition.fullFormat ?? null,
    divisor: definition.divisor ?? null,
    divisor_unit: definition.divisorUnit ?? null,
    ...direction(definition),
    ...labels,
    ...(start && { '@timestamp': start.text }),
    test_uuid: testId,
    value: value as JsonValue, // a KpiNumber: the compiler does not take a readonly list of numbers for JSON here
  };
}

function direction({ better }: KpiDefinition): JsonObject {
  return better === 'unknown' ? {} : { lower_better: better === 'lower' };
}
