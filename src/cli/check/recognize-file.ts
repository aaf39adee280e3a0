import { isBenchmarkFile, isNativeMatrix } from '../../matrix/config/read-matrix-file.ts';
import { parseYamlDefinition } from '../../platform/config/definition.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';

export const FILE_KINDS = ['duet', 'matbench', 'plots', 'urls', 'workload', 'matrix'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** What a definition file is by its keys; one file may be several things, and one with broken YAML is none. */
export type RecognizedFile =
  | { readonly state: 'recognized'; readonly kinds: readonly FileKind[] }
  | { readonly state: 'broken'; readonly problems: readonly Problem[] }
  | { readonly state: 'unknown'; readonly keys: readonly string[] };

export function recognizeFile(file: string, text: string): RecognizedFile {
  const parsed = parseYamlDefinition(file, text, { mergesKeys: true, hasOldBooleans: true });
  if (parsed.state === 'broken') return { state: 'broken', problems: parsed.problems };
  const { value } = parsed.definition;
  if (!isJsonObject(value)) return { state: 'unknown', keys: [] };
  const kinds = FILE_KINDS.filter((kind) => SIGNS[kind](value));
  return kinds.length > 0 ? { state: 'recognized', kinds } : { state: 'unknown', keys: Object.keys(value) };
}

const has = (key: string) => (value: JsonObject) => Object.hasOwn(value, key);
const isWorkload = (value: JsonObject) => has('fields')(value) || has('kpis')(value);

const SIGNS: Readonly<Record<FileKind, (value: JsonObject) => boolean>> = {
  duet: has('duetbench'),
  matbench: has('matbench'),
  plots: has('visualize'),
  urls: has('download'),
  workload: isWorkload,
  // A workload has "settings" and "name" as a matrix has, a whole configuration may have anything.
  matrix: (value) =>
    isBenchmarkFile(value) || (isNativeMatrix(value) && !isWorkload(value) && !has('matbench')(value)),
};
