import { type Definition, LARGEST_BYTES, parseYamlDefinition } from '../../../platform/config/definition.ts';
import { dotted, problemAt, toError, toProblems } from '../../../platform/config/definition-problems.ts';
import { keysAt } from '../../../platform/config/schema-walk.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../../platform/core/errors.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { TEST_ID_FIELD } from '../../core/workload/test-id.ts';
import type {
  FieldDefinition,
  SettingsRules,
  ValueDefinition,
  WorkloadDefinition,
} from '../../core/workload/workload-definition.ts';
import { readField } from './read-field.ts';
import { type KpiPlace, readKpi, unknownField } from './read-kpi.ts';
import { type ValueInput, type WorkloadInput, workloadSchema } from './workload-schema.ts';

/** A workload file that can be used, perhaps with warnings. */
export interface WorkloadFile {
  readonly workload: WorkloadDefinition;
  readonly problems: readonly Problem[];
}

export async function readWorkloadFile(
  file: string,
  { disk }: { readonly disk: Disk },
): Promise<WorkloadFile> {
  const text = await disk.readText(file, { maxBytes: LARGEST_BYTES.yaml });
  if (text !== undefined) return parseWorkloadFile(file, text);
  throw new NightmarkError('WORKLOAD_NO_FILE', `There is no workload ${file}.`, {
    hint: 'nightmark matrix init DIR -o FILE drafts one from an example result.',
  });
}

/** Parses a workload file, or throws one error that lists every problem with its position. */
export function parseWorkloadFile(file: string, text: string): WorkloadFile {
  const parsed = parseYamlDefinition(file, text);
  if (parsed.state === 'broken') throw toError('CONFIG_SYNTAX', parsed.problems);
  const { workload, problems } = readWorkload(parsed.definition);
  if (workload === undefined) throw toError('CONFIG_INVALID', inOrder(problems));
  return { workload, problems: inOrder(problems) };
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

export interface WorkloadReading {
  /** Absent when a problem is an error. */
  readonly workload?: WorkloadDefinition;
  readonly problems: readonly Problem[];
}

/** Checks and converts the value of a workload file; every problem is reported with its position. */
function readWorkload(definition: Definition): WorkloadReading {
  const result = workloadSchema.safeParse(definition.value);
  if (!result.success) {
    const known = (path: readonly PropertyKey[]) => keysAt(workloadSchema, path);
    return { problems: toProblems(result.error, { definition, path: [] }, known) };
  }
  const input = result.data;
  const readings = Object.entries(input.fields).map(([name, field]) => readField(name, field, definition));
  const fields = readings.flatMap(({ field }) => (field ? [field] : []));
  // An invalid field still counts as existing, so that one mistake is reported once.
  const place = { definition, fields: [TEST_ID_FIELD, ...Object.keys(input.fields)] };
  const labels = readValues('labels', input.labels ?? {}, place);
  const metadata = readValues('metadata', withTimes(input), place);
  const kpis = Object.entries(input.kpis ?? {}).map(([name, kpi]) => readKpi(name, kpi, place));
  const problems = [
    ...readings.flatMap((reading) => reading.problems),
    ...checkArtifacts(fields, input, definition),
    ...labels.problems,
    ...metadata.problems,
    ...kpis.flatMap((kpi) => kpi.problems),
    ...checkReferences(input, place),
  ];
  if (problems.some(({ severity }) => severity === 'error')) return { problems };
  const rules = kpis.flatMap(({ rule }) => (rule ? [rule] : []));
  const parts = { fields, labels: labels.values, metadata: metadata.values, kpis: rules };
  return { workload: toDefinition(input, parts), problems };
}

type Parts = Pick<WorkloadDefinition, 'fields' | 'labels' | 'metadata' | 'kpis'>;

function toDefinition(input: WorkloadInput, parts: Parts): WorkloadDefinition {
  return {
    name: input.name,
    importantFiles: input['important-files'] ?? importantFiles(parts.fields, input),
    artifactFolders: input.artifacts ?? {},
    ...(input.marker === undefined ? {} : { marker: input.marker }),
    ...parts,
    settings: toSettings(input.settings ?? {}),
    testId: input['test-id'] ?? 'file',
    resultFields: input.results ?? otherFields(parts),
    plots: (input.plots ?? []).map(({ plot, ...options }) => ({ plot, options: options as JsonObject })), // read from YAML
    comparison: {
      comparisonKeys: input['comparison-keys'] ?? [],
      ignoredKeys: input['ignored-keys'] ?? [],
      sortingKeys: input['sorting-keys'] ?? [],
      ignoredEntries: Object.fromEntries(
        Object.entries(input['ignored-entries'] ?? {}).map(([key, value]): [string, readonly JsonValue[]] => [
          key,
          Array.isArray(value) ? value : [value],
        ]),
      ),
    },
  };
}

function importantFiles(
  fields: readonly FieldDefinition[],
  { artifacts = {}, 'test-id': id }: WorkloadInput,
) {
  const files = fields.map(({ file, artifact }) =>
    artifact === undefined ? file : `${artifacts[artifact]}/${file}`,
  );
  return [...new Set(id === 'hash' ? files : ['.uuid', ...files])];
}

function toSettings(input: NonNullable<WorkloadInput['settings']>): SettingsRules {
  const { rename = {}, map = {}, compute = {}, drop = [], gather = [] } = input;
  return { default: input.default ?? {}, rename, map, compute, drop, gather };
}

function otherFields({ fields, labels, metadata }: Parts): readonly string[] {
  const used = [...labels, ...metadata].map(({ from }) => (from.type === 'field' ? from.name : ''));
  return fields.map(({ name }) => name).filter((name) => name !== TEST_ID_FIELD && !used.includes(name));
}

/** Every payload needs start and end of the test. */
function withTimes({ fields, metadata = {} }: WorkloadInput): NonNullable<WorkloadInput['metadata']> {
  const times = ['start', 'end'].filter(
    (name) => Object.hasOwn(fields, name) && !Object.hasOwn(metadata, name),
  );
  return {
    ...metadata,
    ...Object.fromEntries(times.map((name) => [name, { field: name, type: 'time' as const }])),
  };
}

function checkArtifacts(
  fields: readonly FieldDefinition[],
  { artifacts = {} }: WorkloadInput,
  definition: Definition,
): readonly Problem[] {
  return fields.flatMap(({ name, artifact }) => {
    if (artifact === undefined || Object.hasOwn(artifacts, artifact)) return [];
    const at = ['fields', name, 'artifact'];
    const message = `${dotted(at)}: there is no artifact ${JSON.stringify(artifact)}`;
    return [
      problemAt(definition, at, message, {
        hint: `Add it under "artifacts:", with the pattern of its folder.`,
      }),
    ];
  });
}

function checkReferences({ results = [], settings }: WorkloadInput, place: KpiPlace): readonly Problem[] {
  const computed = Object.entries(settings?.compute ?? {}).map(
    ([key, field]) => [['settings', 'compute', key], field] as const,
  );
  const listed = results.map((field, index) => [['results', index], field] as const);
  return [...computed, ...listed].flatMap(([path, field]) => unknownField(field, path, place) ?? []);
}

/** Labels or metadata: each from a setting, a field, or a constant. */
function readValues(
  block: 'labels' | 'metadata',
  inputs: Readonly<Record<string, ValueInput>>,
  place: KpiPlace,
): { readonly values: readonly ValueDefinition[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const values = Object.entries(inputs).map(([name, input]) => {
    const at = [block, name];
    const given = SOURCES.filter((key) => input?.[key] !== undefined);
    if (given.length > 1) {
      const message = `${dotted(at)}: expected one of setting, field and value, found ${given.join(' and ')}`;
      problems.push(problemAt(place.definition, at, message, { part: 'key' }));
    }
    if (input?.field !== undefined) {
      const problem = unknownField(input.field, [...at, 'field'], place);
      if (problem) problems.push(problem);
    }
    return toValue(name, input);
  });
  return { values, problems };
}

const SOURCES = ['setting', 'field', 'value'] as const;

function toValue(name: string, input: ValueInput): ValueDefinition {
  const fallback = input?.default === undefined ? {} : { default: input.default as JsonValue }; // read from YAML
  return { name, from: originOf(name, input), fieldType: input?.type ?? 'any', ...fallback };
}

function originOf(name: string, input: ValueInput): ValueDefinition['from'] {
  if (input?.value !== undefined) return { type: 'value', value: input.value as JsonValue }; // read from YAML
  if (input?.field !== undefined) return { type: 'field', name: input.field };
  return { type: 'setting', name: input?.setting ?? name };
}
