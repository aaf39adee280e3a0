import type { KpiDefinition, KpiNumber } from '../../formats/core/kpi/kpi.ts';
import type { MatrixEntry, Settings } from '../../formats/core/kpi/matrix-entry.ts';
import type {
  ChartPlot,
  ComparisonRules,
  FieldType,
  SplitEntry,
  Workload,
} from '../../formats/core/kpi/workload.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { testIdOf } from '../core/workload/test-id.ts';
import { READER_VERSION } from '../core/workload/to-workload.ts';
import { makeReader, type TestReader } from './test-reader.ts';

/** A workload as a module writes it; only `name` and `parse` must be there. */
export interface WorkloadModule<Fields extends JsonObject = JsonObject> {
  readonly name: string;
  /** Change it when the result of `parse` changes. Default: a hash of the module. */
  readonly version?: string;
  readonly importantFiles?: readonly string[];
  readonly artifactFolders?: Readonly<Record<string, string>>;
  readonly marker?: string;
  /** The fields of a test. They are cached, so it must read only the files of the test. */
  parse(read: TestReader): Fields | Promise<Fields>;
  /** Further fields, which are not cached. */
  parseAlways?(read: TestReader, fields: Fields): JsonObject | Promise<JsonObject>;
  split?(fields: Fields, settings: Settings): readonly SplitEntry[];
  rewriteSettings?(settings: Settings, fields: Fields): Settings | undefined;
  labels?(test: ModuleTest<Fields>): JsonObject;
  readonly labelTypes?: Readonly<Record<string, FieldType>>;
  /** At least `start` and `end`; `test_uuid` is the field of that name, or a hash of path and settings. */
  metadata?(test: ModuleTest<Fields>): JsonObject;
  /** Types of further metadata; absent: it is not checked. */
  readonly metadataTypes?: Readonly<Record<string, FieldType>>;
  /** The results in payloads. Default: all fields. */
  results?(test: ModuleTest<Fields>): JsonObject;
  readonly resultTypes?: Readonly<Record<string, FieldType>>;
  readonly kpis?: Readonly<Record<string, ModuleKpi<Fields>>>;
  readonly plots?: readonly ChartPlot[];
  readonly comparison?: Partial<ComparisonRules>;
}

/** The argument of the functions of a module. */
export interface ModuleTest<Fields extends JsonObject> {
  readonly fields: Fields;
  readonly settings: Settings;
  readonly entry: MatrixEntry;
}

export type ModuleKpi<Fields extends JsonObject> = Pick<KpiDefinition, 'help' | 'unit'> &
  Partial<Omit<KpiDefinition, 'name' | 'help' | 'unit'>> & {
    /** May throw: the KPI then has no value, and the message says why. */
    value(test: ModuleTest<Fields>): KpiNumber | undefined;
  };

/** Makes a workload of a module. */
export function defineWorkload<Fields extends JsonObject>(module: WorkloadModule<Fields>): Workload {
  checkModule(module);
  const { parseAlways, split, rewriteSettings } = module;
  return {
    name: module.name,
    version: `${READER_VERSION}-${module.version ?? ''}`,
    importantFiles: module.importantFiles ?? [],
    artifactFolders: module.artifactFolders ?? {},
    ...(module.marker === undefined ? {} : { marker: module.marker }),
    parseOnce: (test) => {
      const { reader, finish } = makeReader(test);
      return finish(async () => module.parse(reader));
    },
    ...(parseAlways && {
      parseAlways: (test, results) => {
        const { reader, finish } = makeReader(test);
        return finish(async () => parseAlways(reader, results as Fields)); // what parse gave
      },
    }),
    ...(split && { split: (results, settings) => split(results as Fields, settings) }),
    ...(rewriteSettings && {
      rewriteSettings: (settings, results) => rewriteSettings(settings, results as Fields),
    }),
    ...payloadOf(module),
    kpis: Object.entries(module.kpis ?? {}).map(([name, kpi]) => toKpi(name, kpi)),
    plots: module.plots ?? [],
    comparison: {
      comparisonKeys: [],
      ignoredKeys: [],
      sortingKeys: [],
      ignoredEntries: {},
      ...module.comparison,
    },
  };
}

/** Modules are mostly plain JavaScript, so their types are checked here. */
function checkModule({ name, parse }: Partial<WorkloadModule>): void {
  const wrong =
    typeof name !== 'string' || name === '' ? 'name' : typeof parse !== 'function' ? 'parse' : undefined;
  if (wrong === undefined) return;
  throw new NightmarkError(
    'WORKLOAD_UNUSABLE',
    `defineWorkload was called without ${wrong === 'name' ? 'a "name"' : `a function "parse" (workload ${name})`}.`,
    { hint: 'defineWorkload({ name: "mine", parse: async ({ json }) => ({ ... }) })' },
  );
}

function payloadOf<Fields extends JsonObject>(module: WorkloadModule<Fields>): Pick<Workload, 'payload'> {
  const { labels, metadata, results } = module;
  if (labels === undefined && module.kpis === undefined) return {};
  return {
    payload: {
      labels: (entry) => labels?.(toTest<Fields>(entry)) ?? {},
      labelTypes: module.labelTypes ?? {},
      metadata: (entry) => {
        const own = metadata?.(toTest<Fields>(entry)) ?? {};
        return { ...own, test_uuid: own['test_uuid'] ?? testIdOf(entry, 'file') };
      },
      ...(module.metadataTypes && { metadataTypes: module.metadataTypes }),
      results: (entry) => results?.(toTest<Fields>(entry)) ?? entry.results,
      resultTypes: module.resultTypes ?? {},
    },
  };
}

function toTest<Fields extends JsonObject>(entry: MatrixEntry): ModuleTest<Fields> {
  return { fields: entry.results as Fields, settings: entry.settings, entry }; // results are what parse gave
}

function toKpi<Fields extends JsonObject>(name: string, kpi: ModuleKpi<Fields>): Workload['kpis'][number] {
  const { value, ...facts } = kpi;
  const definition: KpiDefinition = { better: 'unknown', isIgnoredForRegression: false, ...facts, name };
  return { definition, value: (_payload, entry) => value(toTest<Fields>(entry)) ?? null };
}
