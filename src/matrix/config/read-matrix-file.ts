import { type Definition, LARGEST_BYTES, parseYamlDefinition } from '../../platform/config/definition.ts';
import { describeValue, problemAt, toError } from '../../platform/config/definition-problems.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../platform/core/errors.ts';
import { baseName, dirName } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import { readBenchmarkFile } from './benchmark-file.ts';
import type { MatrixReading, MatrixReadOptions } from './matrix-reading.ts';
import { readNativeFile } from './native-file.ts';

/** A file that can be run, perhaps with warnings, or one that cannot be run. */
export type MatrixFileReading =
  | (MatrixReading & { readonly state: 'usable'; readonly text: string })
  | { readonly state: 'unusable'; readonly error: NightmarkError; readonly problems: readonly Problem[] };

export async function readMatrixFile(
  file: string,
  options: MatrixReadOptions,
  { disk }: { readonly disk: Disk },
): Promise<MatrixFileReading> {
  const text = await disk.readText(file, { maxBytes: LARGEST_BYTES.yaml });
  if (text !== undefined) return parseMatrixFile(file, text, options);
  throw new NightmarkError('MATRIX_NO_FILE', `There is no file ${file}.`, {
    hint: 'nightmark matrix run FILE takes a benchmark file, or one with "matrix:" and "run:".',
  });
}

/** Parses the text of a file; every problem is reported with its position. */
export function parseMatrixFile(file: string, text: string, options: MatrixReadOptions): MatrixFileReading {
  // Files of the original tool are YAML 1.1; its words for true and false are accepted in our format, too.
  const parsed = parseYamlDefinition(file, text, { mergesKeys: true, hasOldBooleans: true });
  if (parsed.state === 'broken') return unusable('CONFIG_SYNTAX', parsed.problems);
  const { definition } = parsed;
  const { value } = definition;
  if (!isJsonObject(value)) return unusable('CONFIG_INVALID', [noMatrix(definition)]);
  if (isHome(file, value)) return unusable('CONFIG_INVALID', [isHomeProblem(definition, value)]);
  const read = isBenchmarkFile(value)
    ? readBenchmarkFile
    : isNativeMatrix(value)
      ? readNativeFile
      : undefined;
  if (!read) return unusable('CONFIG_INVALID', [noMatrix(definition)]);
  const reading = read(definition, value, options);
  const problems = [...reading.problems].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
  return problems.some(({ severity }) => severity === 'error')
    ? unusable('CONFIG_INVALID', problems)
    : { state: 'usable', text, definition: reading.definition, problems };
}

/** Whether it is a file of the original tool, by its keys. */
export function isBenchmarkFile(value: JsonObject): boolean {
  return Object.keys(value).some(
    (key) => key === 'expe' || key === 'common_settings' || key.startsWith('--'),
  );
}

/** Whether it is a file in our own format, by its keys. */
export function isNativeMatrix(value: JsonObject): boolean {
  return ['matrix', 'run', 'script', 'experiments'].some((key) => Object.hasOwn(value, key));
}

/** Keys that only the definition of a home has. */
const HOME_KEYS = ['project', 'schedule', 'defaults', 'sources', 'folders', 'tasks', 'backups', 'retention'];
const EXPERIMENT_KEYS = ['matrix', 'run', 'script', 'path'];

function isHome(file: string, value: JsonObject): boolean {
  if (!/^nightmark\.ya?ml$/.test(baseName(file))) return false;
  if (HOME_KEYS.some((key) => Object.hasOwn(value, key))) return true;
  const { experiments } = value;
  if (!isJsonObject(experiments)) return false;
  return Object.values(experiments).some(
    (one) => !isJsonObject(one) || Object.keys(one).some((key) => !EXPERIMENT_KEYS.includes(key)),
  );
}

function isHomeProblem(definition: Definition, { experiments }: JsonObject): Problem {
  const all = isJsonObject(experiments) ? Object.entries(experiments) : [];
  const names = all.flatMap(([name, one]) =>
    isJsonObject(one) && Object.hasOwn(one, 'matrix') ? [name] : [],
  );
  const home = dirName(definition.file);
  return problemAt(definition, [], 'the file defines a home; its matrices run with "nightmark run"', {
    hint:
      names.length > 0
        ? `Run them: nightmark run ${home} --only ${names.join(',')}`
        : `Add "matrix:" to an experiment, then: nightmark run ${home}`,
  });
}

function noMatrix(definition: Definition): Problem {
  const found = isJsonObject(definition.value) ? 'neither' : describeValue(definition.value);
  return problemAt(definition, [], `the file: expected "matrix:" and "run:", or "expe:", found ${found}`, {
    hint: 'The smallest one has two keys: "matrix: {level: [1, 9]}" and "run: gzip -{level} ...".',
  });
}

function unusable(code: string, problems: readonly Problem[]): MatrixFileReading {
  return { state: 'unusable', error: toError(code, problems), problems };
}

/** The settings that a run wrote beside a test; undefined when the text is invalid. */
export function parseSettingsText(file: string, text: string): JsonObject | undefined {
  const parsed = parseYamlDefinition(file, text, { hasOldBooleans: true });
  if (parsed.state === 'broken') return undefined;
  return isJsonObject(parsed.definition.value) ? parsed.definition.value : undefined;
}
