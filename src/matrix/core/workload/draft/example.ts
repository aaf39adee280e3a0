import type { Settings } from '../../../../formats/core/kpi/matrix-entry.ts';
import type { JsonValue } from '../../../../platform/core/text/json.ts';

/** What was found in one test directory, to draft a workload from. */
export interface ExampleTest {
  readonly settings: Settings;
  readonly hasUuid: boolean;
  readonly files: readonly ExampleFile[];
}

/** A file that may hold values; paths are relative to the test directory. */
export type ExampleFile =
  | { readonly path: string; readonly type: 'json' | 'yaml'; readonly value: JsonValue }
  | {
      readonly path: string;
      readonly type: 'csv';
      readonly header: readonly string[];
      readonly row: readonly string[];
    };
