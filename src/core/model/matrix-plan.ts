import type { JsonObject, JsonValue } from '../text/json.ts';

/** A matrix of tests to run, from a benchmark file or from nightmark.yml: defaults filled in. */
export interface MatrixDefinition {
  readonly file: string;
  readonly resultsDir: string;
  readonly experiments: readonly MatrixExperiment[];
  /** Files written into each test directory before it runs: text, or a value that becomes YAML. */
  readonly testFiles: Readonly<Record<string, JsonValue>>;
  readonly stopsOnError: boolean;
  readonly order: 'given' | 'random';
  readonly seed?: number;
  readonly parallel: number;
  readonly timeoutMs?: number;
  readonly retries: number;
}

export interface MatrixExperiment {
  readonly name: string;
  /** Name of the folder of one test, with {setting} in it. */
  readonly pathTemplate: string;
  /** Script, relative to the folder of the file, with {setting} in it; or a command for the shell. */
  readonly run: { readonly type: 'script' | 'command'; readonly template: string };
  /** In the order of the file; more than one value is an axis, the last one runs fastest. */
  readonly axes: readonly { readonly key: string; readonly values: readonly JsonValue[] }[];
  /** Alternatives that set several settings at once. */
  readonly extra: readonly JsonObject[];
  readonly include: readonly JsonObject[];
  readonly exclude: readonly JsonObject[];
  /** Settings that hold only where others have the given values. */
  readonly conditions: readonly { readonly when: JsonObject; readonly set: JsonObject }[];
  readonly repetitions: number;
}

/** One test of the matrix. */
export interface PlannedTest {
  readonly experiment: string;
  readonly settings: JsonObject;
  readonly repetition: number;
  /** Why it cannot run: a template asks for a setting that is not there. */
  readonly problem?: string;
  readonly path: string;
  readonly command: string;
}
