import type { PlotPart } from '../../../charts/core/chart.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { KpiDefinition, KpiNumber } from './kpi.ts';
import type { MatrixEntry, SettingList, Settings, TestFolder } from './matrix-entry.ts';

/**
 * How the tests of one kind are read, named and judged: a YAML file, or a module for what YAML cannot say.
 * Contract (test/contracts/workloads.test.ts):
 * 1. `parseOnce` reads the files of its test only; the same files and `version` give the same fields.
 * 2. A missing or broken file loses the fields that come from it, with a problem that names file and field.
 * 3. `version` changes when anything changes that decides what `parseOnce` gives.
 */
export interface Workload {
  readonly name: string;
  readonly version: string;
  /** Files a reader needs, as names or patterns in which "*" crosses "/"; reading another one is a warning. */
  readonly importantFiles: readonly string[];
  /** Globs of folders in a test directory, by the name that readers use. */
  readonly artifactFolders: Readonly<Record<string, string>>;
  /** What makes a folder a test directory, where it is not a settings file. */
  readonly marker?: string;
  /** Kept in the cache. */
  parseOnce(test: TestFiles): Promise<ParsedFields>;
  /** Computed at each reading, from what the cache holds. */
  parseAlways?(test: TestFiles, results: JsonObject): Promise<ParsedFields>;
  /** Several entries of one directory: settings to add for each, with its results. Absent: one entry. */
  split?(results: JsonObject, settings: Settings): readonly SplitEntry[];
  /** Undefined: the entry is left out. */
  rewriteSettings?(settings: Settings, results: JsonObject): Settings | undefined;
  /** Absent: the workload has no payloads. */
  readonly payload?: PayloadRules;
  readonly kpis: readonly WorkloadKpi[];
  /** Plots of its own. */
  readonly plots: readonly ChartPlot[];
  /** Stock plots that it requests, with their options as written. */
  readonly chosenPlots?: readonly { readonly plot: string; readonly options: JsonObject }[];
  readonly comparison: ComparisonRules;
}

export interface ParsedFields {
  readonly fields: JsonObject;
  readonly problems: readonly string[];
}

export interface SplitEntry {
  readonly settings: Settings;
  readonly results: JsonObject;
}

/** The files of one test directory; nothing outside of it can be reached. Absent and broken files are reported as problems. */
export interface TestFiles {
  readonly folder: TestFolder;
  /** Folder of an artifact, relative to the test directory; undefined when no folder matches. */
  artifact(name: string): string | undefined;
  /** Relative paths that match, sorted. */
  glob(pattern: string): Promise<readonly string[]>;
  /** Undefined, and a problem, when it is missing, too large or not readable. */
  text(path: string): Promise<string | undefined>;
  json(path: string): Promise<JsonValue | undefined>;
  yaml(path: string): Promise<JsonValue | undefined>;
  /** Lines of a file of any size. */
  lines(path: string): AsyncIterable<string>;
  /** The same, many at a time: faster where a log has millions. */
  lineBlocks(path: string): AsyncIterable<readonly string[]>;
}

export interface PayloadRules {
  /** Labels of the test: what identifies a series. */
  labels(entry: MatrixEntry): JsonObject;
  /** Type of each label, for the schema and for strict validation. */
  readonly labelTypes: Readonly<Record<string, FieldType>>;
  metadata(entry: MatrixEntry): JsonObject;
  /** Types of what `metadata` adds to start, end and test_uuid; absent: it is not checked. */
  readonly metadataTypes?: Readonly<Record<string, FieldType>>;
  results(entry: MatrixEntry): JsonObject;
  /** Types of the results, where they are declared. */
  readonly resultTypes: Readonly<Record<string, FieldType>>;
}

export type FieldType =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'semver'
  | 'time'
  | 'numbers'
  | 'any'
  | 'links';

export interface WorkloadKpi {
  readonly definition: KpiDefinition;
  /** May throw: the value is then null and the problem is reported. */
  value(payload: JsonObject, entry: MatrixEntry): KpiNumber;
}

/** How a test is compared with earlier results of the same test. */
export interface ComparisonRules {
  readonly comparisonKeys: readonly string[];
  readonly ignoredKeys: readonly string[];
  readonly sortingKeys: readonly string[];
  readonly ignoredEntries: Readonly<Record<string, readonly JsonValue[]>>;
}

/** A plot of a workload: shapes entries into a table, then describes charts. */
export interface ChartPlot {
  readonly name: string;
  readonly id: string;
  /** A report may hold several charts and text; a plot holds one. */
  readonly isReport: boolean;
  draw(request: PlotRequest): readonly PlotPart[];
}

export interface PlotRequest {
  /** The selected entries, in the order of the axes. */
  readonly entries: readonly MatrixEntry[];
  readonly all: readonly MatrixEntry[];
  /** Settings with one chosen value. */
  readonly settings: Settings;
  readonly settingLists: readonly SettingList[];
  /** Settings that vary, with their values; `orderedVars` says in which order. */
  readonly variables: Readonly<Record<string, readonly unknown[]>>;
  readonly orderedVars: readonly string[];
  readonly cfg: Readonly<Record<string, string | number>>;
}
