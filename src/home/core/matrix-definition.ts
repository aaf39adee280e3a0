import type { Measure } from '../../executors/core/measures.ts';
import type { RunPlace } from '../../executors/core/place.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import type { TelemetrySwitches } from './home.ts';

/** A matrix of tests to run, from a benchmark file or from one of ours: defaults filled in. */
export interface MatrixDefinition {
  readonly file: string;
  /** Whose rules hold for templates: the original's, or ours. */
  readonly dialect: 'benchmark' | 'native';
  /** Folders that are searched for a script; the first that has it counts. */
  readonly scriptDirs: readonly [string, ...string[]];
  /** Absent: the file has none, and the caller must name one. */
  readonly resultsDir?: string;
  readonly experiments: readonly MatrixExperiment[];
  /** Names of experiments to run, as the file gives them. Absent: all. */
  readonly wanted?: readonly string[];
  /** Which tests are wanted, as in --filter. */
  readonly filters?: string;
  /** Files written into each test directory before it runs: text, or a value that becomes YAML. */
  readonly testFiles: Readonly<Record<string, JsonValue>>;
  /** The file requests a script that runs the tests elsewhere. */
  readonly isRemote: boolean;
  readonly stopsOnError: boolean;
  readonly order: 'given' | 'random';
  readonly seed?: number;
  /** Absent: one at a time, or as many as a cluster takes. */
  readonly parallel?: number;
  readonly timeoutMs?: number;
  readonly retries: number;
  /** Absent: tests are processes of this machine. */
  readonly at?: RunPlace;
  /** What is sampled beside each test. Absent: nothing. */
  readonly telemetry?: TelemetrySwitches;
  /** What is measured of the command of each test. */
  readonly measures?: readonly Measure[];
}

export interface MatrixExperiment {
  readonly name: string;
  /** Name of the folder of one test, with {setting} in it. Absent: made of the settings that vary. */
  readonly pathTemplate?: string;
  /** A script below `scriptDirs`, with arguments and {setting} in it; or a command for the shell. */
  readonly run: { readonly type: 'script' | 'command'; readonly template: string };
  /** In the order of the file; the last one runs fastest. */
  readonly axes: readonly Axis[];
  /** Further combinations; a list in one of them is an axis. */
  readonly include: readonly JsonObject[];
  /** Combinations that are left out; a list means any of its values. */
  readonly exclude: readonly JsonObject[];
  /** Settings that hold only where others have the given values. */
  readonly conditions: readonly Condition[];
  /** Axes over which the same test is repeated, included ones too. */
  readonly repeats: readonly Axis[];
}

export interface Condition {
  readonly when: JsonObject;
  readonly set: JsonObject;
}

/** More than one value makes it vary. Alternatives set several settings at once. */
export type Axis =
  | { readonly type: 'setting'; readonly key: string; readonly values: readonly AxisValue[] }
  | { readonly type: 'alternatives'; readonly values: readonly JsonObject[] };

export interface AxisValue {
  readonly value: JsonValue;
  /** How the number is written where that differs from its value: 1.0. */
  readonly text?: string;
}

/** One test of the matrix. */
export interface PlannedTest {
  readonly experiment: string;
  readonly settings: JsonObject;
  /** Numbers that are written in another way than their value is printed, by setting. */
  readonly texts: Readonly<Record<string, string>>;
  /** Name of its folder behind the number. */
  readonly path: string;
  /** What the shell runs; a script is relative to one of `scriptDirs`. */
  readonly command: string;
  readonly isScript: boolean;
  /** Why it cannot run: a template needs a setting that does not exist. */
  readonly problem?: string;
}
