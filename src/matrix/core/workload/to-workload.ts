import type { KpiNumber } from '../../../formats/core/kpi/kpi.ts';
import type { MatrixEntry, Settings } from '../../../formats/core/kpi/matrix-entry.ts';
import type { FieldType, PayloadRules, Workload, WorkloadKpi } from '../../../formats/core/kpi/workload.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { sha256 } from '../../../platform/core/text/sha256.ts';
import { convertValue } from './convert-value.ts';
import { curvePlots } from './curve-plots.ts';
import { evaluate } from './evaluate.ts';
import { fieldAt } from './json-path.ts';
import { readFields } from './read-fields.ts';
import { canonicalJson, TEST_ID_FIELD, TEST_ID_FILE, testIdOf } from './test-id.ts';
import type {
  FieldDefinition,
  KpiRule,
  SettingsRules,
  ValueDefinition,
  WorkloadDefinition,
} from './workload-definition.ts';

/** Increased when the same definition is read in another way: cached tests are then read again. */
export const READER_VERSION = 1;

/** Makes a workload of its definition. */
export function toWorkload(definition: WorkloadDefinition): Workload {
  const fields = withTestId(definition);
  const hasPayload = definition.labels.length > 0 || definition.kpis.length > 0;
  return {
    name: definition.name,
    version: versionOf(fields, definition),
    importantFiles: definition.importantFiles,
    artifactFolders: definition.artifactFolders,
    ...(definition.marker === undefined ? {} : { marker: definition.marker }),
    parseOnce: (test) => readFields(fields, test),
    rewriteSettings: (settings, results) => rewriteSettings(definition.settings, settings, results),
    ...(hasPayload ? { payload: payloadRules(definition) } : {}),
    kpis: definition.kpis.map(toKpi),
    plots: curvePlots(definition.fields),
    chosenPlots: definition.plots,
    comparison: definition.comparison,
  };
}

/** The value of each field for a formula; of a gathered entry, those of all its members. */
function valueOfField(entry: MatrixEntry, name: string): JsonValue | undefined {
  const of = ({ results, settings }: MatrixEntry) =>
    name.startsWith('settings.') ? fieldAt(settings, name.slice('settings.'.length)) : fieldAt(results, name);
  if (entry.gathered === undefined) return of(entry);
  return entry.gathered.members.flatMap((member) => of(member) ?? []);
}

function withTestId({ fields, testId }: WorkloadDefinition): readonly FieldDefinition[] {
  if (testId === 'hash' || fields.some(({ name }) => name === TEST_ID_FIELD)) return fields;
  const source = { type: 'text' } as const;
  return [{ name: TEST_ID_FIELD, file: TEST_ID_FILE, source, type: 'text', default: null }, ...fields];
}

/** Covers only what decides how files are read: a new KPI does not invalidate the cache. */
function versionOf(fields: readonly FieldDefinition[], { artifactFolders }: WorkloadDefinition): string {
  const read = fields.map(({ source, ...field }) => ({ ...field, source: plainSource(source) }));
  return `${READER_VERSION}-${sha256(canonicalJson(JSON.parse(JSON.stringify({ read, artifactFolders })))).slice(0, 32)}`;
}

function plainSource(source: FieldDefinition['source']): JsonObject {
  switch (source.type) {
    case 'regex':
      return { type: source.type, pattern: source.pattern.source };
    case 'json':
    case 'yaml':
      return { type: source.type, path: source.path.text };
    default:
      return { ...source };
  }
}

function payloadRules({ labels, metadata, resultFields, fields, testId }: WorkloadDefinition): PayloadRules {
  const resultTypes = fields.filter(({ name }) => resultFields.includes(name)).map(typeOf);
  return {
    labels: (entry) => valuesOf(labels, entry),
    labelTypes: Object.fromEntries(labels.map(({ name, fieldType }) => [name, fieldType])),
    metadata: (entry) => ({ ...valuesOf(metadata, entry), test_uuid: testIdOf(entry, testId) }),
    metadataTypes: Object.fromEntries(metadata.map(({ name, fieldType }) => [name, fieldType])),
    results: (entry) =>
      Object.fromEntries(resultFields.flatMap((name) => present(name, fieldAt(entry.results, name)))),
    resultTypes: Object.fromEntries(resultTypes),
  };
}

function typeOf({ name, type, reduce, source }: FieldDefinition): readonly [string, FieldType] {
  if (reduce === 'count') return [name, 'integer'];
  if (type === 'quantity') return [name, 'number'];
  return [name, source.type === 'csv' && type === 'number' && reduce === undefined ? 'numbers' : type];
}

function valuesOf(definitions: readonly ValueDefinition[], entry: MatrixEntry): JsonObject {
  return Object.fromEntries(definitions.flatMap((each) => present(each.name, oneValue(each, entry))));
}

function oneValue(
  { from, fieldType, default: fallback }: ValueDefinition,
  entry: MatrixEntry,
): JsonValue | undefined {
  const found = foundValue(from, entry);
  const value = found === undefined || found === null ? fallback : found;
  if (value === undefined) return undefined;
  // A value that does not fit its type stays as it is, so that strict validation reports it.
  const converted = convertValue(value, fieldType);
  return 'value' in converted ? converted.value : value;
}

/** A setting over which tests are gathered is named "@seed"; a label may also use its original name. */
function foundValue(
  from: ValueDefinition['from'],
  { results, settings }: MatrixEntry,
): JsonValue | undefined {
  if (from.type === 'value') return from.value;
  if (from.type === 'field') return fieldAt(results, from.name);
  const key = [from.name, `@${from.name}`].find((name) => Object.hasOwn(settings, name));
  return key === undefined ? undefined : settings[key];
}

function present(name: string, value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return value === undefined ? [] : [[name, value]];
}

function toKpi({ definition, expression }: KpiRule): WorkloadKpi {
  const better = definition.better === 'lower' ? 'lower' : 'higher';
  return {
    definition,
    value: (_payload, entry): KpiNumber =>
      evaluate(expression, { better, lookup: (name) => valueOfField(entry, name) }),
  };
}

/** The settings of a test after the rules: defaults, then renamed, mapped, computed, dropped and gathered ones. */
function rewriteSettings(rules: SettingsRules, settings: Settings, results: JsonObject): Settings {
  const entries = new Map<string, JsonValue>(Object.entries(rules.default));
  for (const [key, value] of Object.entries(settings)) entries.set(key, value);
  const named = [...entries].map(([key, value]): [string, JsonValue] => [
    own(rules.rename, key) ?? key,
    value,
  ]);
  const rewritten = new Map(
    named.map(([key, value]) => [key, own(own(rules.map, key), String(value)) ?? value]),
  );
  for (const [key, field] of Object.entries(rules.compute)) {
    const value = fieldAt(results, field);
    if (value !== undefined) rewritten.set(key, value);
  }
  for (const key of rules.drop) rewritten.delete(key);
  return Object.fromEntries(
    [...rewritten].map(([key, value]) => [rules.gather.includes(key) ? `@${key}` : key, value]),
  );
}

function own<T>(mapping: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return mapping !== undefined && Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
