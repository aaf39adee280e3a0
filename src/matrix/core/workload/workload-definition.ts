import type { KpiDefinition } from '../../../formats/core/kpi/kpi.ts';
import type { ComparisonRules, FieldType } from '../../../formats/core/kpi/workload.ts';
import type { Pattern } from '../../../platform/core/patterns/pattern.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Expression } from './expression.ts';
import type { JsonPath } from './json-path.ts';

/** A workload declared in YAML: complete, with defaults filled in, and paths and patterns parsed. */
export interface WorkloadDefinition {
  readonly name: string;
  readonly importantFiles: readonly string[];
  readonly artifactFolders: Readonly<Record<string, string>>;
  readonly marker?: string;
  readonly fields: readonly FieldDefinition[];
  readonly settings: SettingsRules;
  readonly labels: readonly ValueDefinition[];
  readonly metadata: readonly ValueDefinition[];
  /** The id of a test: the content of .uuid where it exists, or always a hash of path and settings. */
  readonly testId: 'file' | 'hash';
  /** Fields that payloads contain beside the KPIs. */
  readonly resultFields: readonly string[];
  readonly kpis: readonly KpiRule[];
  readonly plots: readonly PlotChoice[];
  readonly comparison: ComparisonRules;
}

/** Where a value is found in the files of a test. */
export interface FieldDefinition {
  readonly name: string;
  /** Name or pattern, relative to the test directory or to the folder of the artifact. */
  readonly file: string;
  readonly artifact?: string;
  readonly source: FieldSource;
  readonly type: ValueType;
  readonly unit?: string;
  /** How several values are reduced. Absent: the last one, or all where the source gives a list. */
  readonly reduce?: Reducer;
  /** Used without a problem where nothing is found. */
  readonly default?: JsonValue;
}

export type FieldSource =
  | { readonly type: 'json' | 'yaml'; readonly path: JsonPath }
  | { readonly type: 'regex'; readonly pattern: RegExp | Pattern }
  | { readonly type: 'csv'; readonly column: string }
  | { readonly type: 'text' }
  | { readonly type: 'number' }
  | { readonly type: 'curve'; readonly x: string; readonly y: string };

/** Types of payloads, and Kubernetes quantities ("512Mi"), which become numbers. */
export type ValueType = FieldType | 'quantity';

export const REDUCERS = ['first', 'last', 'min', 'max', 'mean', 'sum', 'count', 'list'] as const;
export type Reducer = (typeof REDUCERS)[number];

/** How the settings of a test are rewritten, in this order. */
export interface SettingsRules {
  readonly default: JsonObject;
  readonly rename: Readonly<Record<string, string>>;
  /** By setting: its values as text, and their replacements. */
  readonly map: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
  /** Settings that are fields. */
  readonly compute: Readonly<Record<string, string>>;
  readonly drop: readonly string[];
  /** Settings over which tests are gathered, such as seed, which is renamed "@seed". */
  readonly gather: readonly string[];
}

/** A label or a piece of metadata. */
export interface ValueDefinition {
  readonly name: string;
  readonly from:
    | { readonly type: 'setting' | 'field'; readonly name: string }
    | { readonly type: 'value'; readonly value: JsonValue };
  readonly fieldType: FieldType;
  readonly default?: JsonValue;
}

export interface KpiRule {
  readonly definition: KpiDefinition;
  readonly expression: Expression;
}

/** A stock plot with its options. */
export interface PlotChoice {
  readonly plot: string;
  readonly options: JsonObject;
}
