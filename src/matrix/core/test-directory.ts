import type { Settings } from '../../formats/core/kpi/matrix-entry.ts';
import { failed, ok, type Result } from '../../platform/core/result.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';

/** Files that make a folder a test directory; settings.yml is an old name. */
export const ROOT_FILES = ['settings', 'settings.yml', 'settings.yaml'] as const;
/** Makes a folder a test directory for Caliper, the successor of the original tool. */
export const CALIPER_FILE = '__caliper_test_metadata__.yaml';

/** The settings files of one folder in the order of precedence: the last one wins. */
export function settingsFiles(names: readonly string[]): readonly string[] {
  const more = names.filter((name) => name.startsWith('settings.')).sort();
  return names.includes('settings') ? ['settings', ...more] : more;
}

export type SettingsSyntax = 'yaml' | 'json' | 'lines';

export function settingsSyntax(name: string): SettingsSyntax {
  if (/\.ya?ml$/.test(name)) return 'yaml';
  return name.endsWith('.json') ? 'json' : 'lines';
}

/** The old format: "key=value" on each line; values are texts and may contain "=". */
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

/** The content of an exit_code file, or why the test does not count. */
export function readExitCode(content: string | undefined): Result<number> {
  if (content === undefined) return failed('it has no exit_code: it did not end, or still runs');
  const text = content.trim();
  if (text === '') return failed('its exit_code is empty: it did not end, or still runs');
  if (/^[+-]?\d{1,9}$/.test(text)) return ok(Number(text));
  return failed(`invalid exit_code: "${text.slice(0, 40)}"`);
}
