import type { Settings } from '../../formats/core/kpi/matrix.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';

/** Names of files that make a folder a test directory; the second is an old form. */
export const ROOT_FILES = ['settings', 'settings.yml', 'settings.yaml'] as const;
/** The successor's mark of a test directory. */
export const CALIPER_FILE = '__caliper_test_metadata__.yaml';

/** The settings files of one folder in the order in which they count: the later wins. */
export function settingsFiles(names: readonly string[]): readonly string[] {
  const more = names.filter((name) => name.startsWith('settings.')).sort();
  return names.includes('settings') ? ['settings', ...more] : more;
}

export type SettingsSyntax = 'yaml' | 'json' | 'lines';

export function settingsSyntax(name: string): SettingsSyntax {
  if (/\.ya?ml$/.test(name)) return 'yaml';
  return name.endsWith('.json') ? 'json' : 'lines';
}

/** Old settings: a "key=value" on each line, values are texts and may hold "=". */
export function readSettingLines(text: string): {
  readonly settings: Settings;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const fields: [string, JsonValue][] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '') continue;
    const at = line.indexOf('=');
    if (at < 1) problems.push(`line ${index + 1} is not "key=value"`);
    else fields.push([line.slice(0, at), line.slice(at + 1)]);
  }
  return { settings: Object.fromEntries(fields), problems };
}

/** What an exit_code file says: a whole number, or why the test does not count. */
export function readExitCode(text: string | undefined): number | string {
  if (text === undefined) return 'it has no exit_code: it did not end, or still runs';
  const word = text.trim();
  if (word === '') return 'its exit_code is empty: it did not end, or still runs';
  return /^[+-]?\d{1,9}$/.test(word) ? Number(word) : `its exit_code is no number: "${word.slice(0, 40)}"`;
}
