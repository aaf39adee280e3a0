import type { Settings } from '../../../formats/core/kpi/matrix-entry.ts';
import { parseResultJson } from '../../../formats/core/parse-json.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { readSettingLines, settingsFiles, settingsSyntax } from '../../core/test-directory.ts';
import type { MatrixEffects } from './parse-request.ts';

export interface FolderSettings {
  readonly settings: Settings;
  /** Invalid lines; the others count. */
  readonly problems: readonly string[];
  /** Why a file cannot be read: the settings are unknown. */
  readonly broken?: string;
}

const NO_SETTINGS: FolderSettings = { settings: {}, problems: [] };

/** The settings of one folder from all its settings files; `names` are the names of its files. */
export async function readFolderSettings(
  names: readonly string[],
  read: (name: string) => Promise<string | undefined>,
  { parseYaml }: Pick<MatrixEffects, 'parseYaml'>,
): Promise<FolderSettings> {
  const merged: Record<string, JsonValue>[] = [];
  const problems: string[] = [];
  for (const name of settingsFiles(names)) {
    try {
      const text = await read(name);
      if (text === undefined) continue;
      if (settingsSyntax(name) === 'lines') {
        const lines = readSettingLines(text);
        merged.push(lines.settings);
        problems.push(...lines.problems.map((problem) => `${name}: ${problem}`));
      } else merged.push(mappingOf(text, name, parseYaml));
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
      return { ...NO_SETTINGS, problems, broken: `${name}: ${messageOf(error)}` };
    }
  }
  return { settings: joined(merged), problems };
}

/** An empty file is an empty mapping. */
export function mappingOf(text: string, name: string, parseYaml: MatrixEffects['parseYaml']): Settings {
  if (text.trim() === '') return {};
  const value = name.endsWith('.json') ? parseResultJson(text, 'Write a JSON object.') : parseYaml(text);
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw new NightmarkError('MATRIX_BAD_SETTINGS', 'it is not a mapping of settings to values.', {
    hint: 'Write one "key: value" on each line.',
  });
}

function joined(parts: readonly Settings[]): Settings {
  const [first = {}] = parts;
  // Object.fromEntries defines keys, so that "__proto__" is a key like any other.
  return parts.length < 2 ? first : Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}
