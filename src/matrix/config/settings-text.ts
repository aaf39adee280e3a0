import { parseYamlDefinition } from '../../platform/config/definition.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';

/** The settings that a run wrote beside a test; undefined when the text is none. */
export function parseSettingsText(file: string, text: string): JsonObject | undefined {
  const parsed = parseYamlDefinition(file, text, { hasOldBooleans: true });
  if (parsed.state === 'broken') return undefined;
  return isJsonObject(parsed.definition.value) ? parsed.definition.value : undefined;
}
