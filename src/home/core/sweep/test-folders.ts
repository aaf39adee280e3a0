import { pythonYaml } from '../../../platform/core/python/python-yaml.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';

/** Names of what we write into the folder of a test. */
export const SETTINGS_FILE = 'settings.yaml';
export const LOG_FILE = 'run.log';
export const EXIT_CODE_FILE = 'exit_code';

/** The folder of a test below that of its experiment: 007__m1_4u. */
export function testFolderName(number: number, path: string): string {
  return `${String(number).padStart(3, '0')}__${path}`;
}

/** The number of a folder that a run made; undefined for any other. */
export function testFolderNumber(name: string): number | undefined {
  const digits = /^(\d{1,9})__/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A file that is written beside the settings: a text as it is, any other value as YAML. */
export function testFileText(value: JsonValue): string {
  return typeof value === 'string' ? value : pythonYaml(value);
}
