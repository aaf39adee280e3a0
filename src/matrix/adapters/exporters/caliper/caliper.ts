import type { Payload } from '../../../../formats/core/kpi/kpi.ts';
import { joinPayload, splitPayload } from '../../../../formats/core/kpi/payload-table.ts';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import { failed, ok, type Result } from '../../../../platform/core/result.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import { sha256 } from '../../../../platform/core/text/sha256.ts';
import { type Exporter, type ReadDocument, readDocument } from '../../../core/exporter.ts';
import { readSource, writeFileAtomically } from '../export-files.ts';

/** KPI files of Caliper: written in schema 2, read in schema 1 and 2. */
const caliper: Exporter = {
  id: 'caliper',
  title: 'KPI files of Caliper (schema 2; schema 1 is read)',
  canImport: true,
  async export(payloads, { place, isDryRun }) {
    const steps = [`write ${place}: ${payloads.length} tests`];
    if (isDryRun) return { sent: 0, refused: [], steps };
    const document = { schema_version: '2', tests: payloads.map(testOf) };
    await writeFileAtomically(place, `${JSON.stringify(document, null, 2)}\n`);
    return { sent: payloads.length, refused: [], steps };
  },
  async *import({ place }) {
    yield* readKpiFile(await readSource(place), place);
  },
};

/** What the format cannot express goes to metadata.payload, which its own readers ignore. */
function testOf(payload: Payload): JsonObject {
  const { labels, rest } = splitPayload(payload);
  const { start, test_uuid } = payload.metadata;
  return {
    run_id: test_uuid,
    labels,
    metadata: { timestamp: start ?? '', run_id: test_uuid, payload: rest },
    kpis: Object.entries(payload.kpis).map(([name, kpi]) => kpiRecord(name, kpi)),
  };
}

export default caliper;

/** The key of the x values of a curve in a payload; `value` has the y values. */
const CURVE_X = 'x_values';
const CURVE_FACTS = ['x_unit', 'x_help', 'y_unit', 'y_help'];

/** A KPI of a payload in Caliper's format. */
function kpiRecord(id: string, kpi: JsonObject): JsonObject {
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

/** The name and the KPI of a record in any version of Caliper's format. */
function readKpiRecord(record: JsonObject): { readonly id: string; readonly kpi: JsonObject } {
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

/** The tests of a KPI file: one document of schema 2, or a line for each KPI. */
function* readKpiFile(text: string, place: string): Generator<ReadDocument> {
  const document = wholeDocument(text);
  if (document === undefined || document['kpi_id'] !== undefined) yield* readLines(text, place);
  else if (document['schema_version'] === '2' && Array.isArray(document['tests'])) {
    for (const [at, test] of document['tests'].entries()) yield readTest(test, `${place}, test ${at + 1}`);
  } else {
    throw new NightmarkError('EXPORT_BAD_KPI_FILE', `${place} is not a KPI file of schema 1 or 2.`, {
      hint: 'Schema 2 has schema_version "2" and tests; schema 1 has a KPI on each line.',
    });
  }
}

function wholeDocument(text: string): JsonObject | undefined {
  try {
    const document = JSON.parse(text) as JsonValue;
    return isJsonObject(document) ? document : {};
  } catch {
    return undefined; // several lines are not one JSON document
  }
}

/** KPIs of one run with the same labels and time belong to one test. */
function* readLines(text: string, place: string): Generator<ReadDocument> {
  const tests = new Map<
    string,
    { readonly test: JsonObject; readonly kpis: JsonObject[]; readonly source: string }
  >();
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const source = `${place}, line ${at + 1}`;
    const record = recordOf(line);
    if (!record.ok) {
      yield { source, reason: record.error };
      continue;
    }
    const kpi = record.value;
    const { run_id = '', timestamp = '', metadata = {} } = kpi;
    const { higher_is_better: _, ...labels } = isJsonObject(kpi['labels']) ? kpi['labels'] : {};
    const key = JSON.stringify([run_id, timestamp, labels]);
    const about = { ...(isJsonObject(metadata) && metadata), timestamp };
    const existing = tests.get(key);
    if (existing) existing.kpis.push(kpi);
    else tests.set(key, { test: { run_id, labels, metadata: about }, kpis: [kpi], source });
  }
  for (const { test, kpis, source } of tests.values()) yield readTest({ ...test, kpis }, source);
}

function recordOf(line: string): Result<JsonObject> {
  try {
    const record = JSON.parse(line) as JsonValue;
    const isKpi = isJsonObject(record) && typeof record['kpi_id'] === 'string';
    return isKpi ? ok(record) : failed('it has no kpi_id');
  } catch (error) {
    return failed(messageOf(error));
  }
}

function readTest(test: JsonValue, source: string): ReadDocument {
  if (!isJsonObject(test) || !Array.isArray(test['kpis'])) return { source, reason: 'it has no kpis' };
  return readDocument(documentOf(test, test['kpis']), source);
}

function documentOf(test: JsonObject, records: readonly JsonValue[]): JsonObject {
  const labels = isJsonObject(test['labels']) ? test['labels'] : {};
  const metadata = isJsonObject(test['metadata']) ? test['metadata'] : {};
  const kpis = records.filter(isJsonObject);
  const rest = metadata['payload'];
  if (isJsonObject(rest)) {
    const withValue = kpis.filter(
      (record) => record['value'] !== undefined || record['values'] !== undefined,
    );
    const values = withValue.map(readKpiRecord).map(({ id, kpi }) => [id, kpi['value'] ?? null] as const);
    return joinPayload({ labels, values: Object.fromEntries(values), rest });
  }
  const start = textOf(metadata['timestamp']);
  const id = idOf(test, labels, start);
  const about = { ...labels, '@timestamp': start, test_uuid: id };
  return {
    metadata: { start, end: start, test_uuid: id, run_id: test['run_id'] ?? '', settings: labels },
    results: {},
    kpis: Object.fromEntries(
      kpis.map(readKpiRecord).map(({ id: name, kpi }) => [name, { ...about, ...kpi }]),
    ),
  };
}

const UUID4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** The id of a payload is a UUID of version 4. A run has several tests, so its id alone is not enough. */
function idOf(test: JsonObject, labels: JsonObject, start: string): string {
  const { test_uuid: given } = isJsonObject(test['metadata']) ? test['metadata'] : {};
  for (const id of [given, test['run_id']]) if (typeof id === 'string' && UUID4.test(id)) return id;
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = sha256(JSON.stringify([test['run_id'] ?? '', start, sorted]));
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
  return [...parts, hash.slice(20, 32)].join('-');
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
