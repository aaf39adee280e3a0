import type { MatrixDefinition } from '../../home/core/matrix-definition.ts';
import { EXIT_CODE_FILE, LOG_FILE, SETTINGS_FILE } from '../../home/core/sweep/plan-tests.ts';
import type { Definition } from '../../platform/config/definition.ts';
import { describeValue, dotted, problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/** A file read in one of the two formats; it can be run when no problem is an error. */
export interface MatrixReading {
  readonly definition: MatrixDefinition;
  readonly problems: readonly Problem[];
}

export interface MatrixReadOptions {
  /** Where the original tool searches scripts and writes results. */
  readonly cwd: string;
  /** "4, 8" is a list, as in files of 2022. */
  readonly hasCommaLists?: boolean;
}

export interface TestFilesReading {
  readonly files: Readonly<Record<string, JsonValue>>;
  readonly problems: readonly Problem[];
}

/** Reads the files to be written beside the settings. They must stay in the folder of the test and keep its own files. */
export function readTestFiles(
  value: JsonValue | undefined,
  definition: Definition,
  path: readonly string[],
): TestFilesReading {
  if (value === undefined || value === null) return { files: {}, problems: [] };
  if (!isJsonObject(value)) {
    const message = `${dotted(path)}: expected a mapping of file names to contents, found ${describeValue(value)}`;
    return { files: {}, problems: [problemAt(definition, path, message)] };
  }
  const problems = Object.keys(value).flatMap((name) => {
    const reason = whyNotAFile(name);
    if (reason === undefined) return [];
    const message = `${dotted(path)}: ${JSON.stringify(name)} cannot be a test file: ${reason}`;
    return [problemAt(definition, [...path, name], message, { part: 'key' })];
  });
  return { files: value, problems };
}

function whyNotAFile(name: string): string | undefined {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'it is outside of the folder of the test, or is not a file name';
  if (name.includes('\0')) return 'it contains a NUL character';
  return [SETTINGS_FILE, EXIT_CODE_FILE, LOG_FILE].includes(name) ? 'a run writes it itself' : undefined;
}
