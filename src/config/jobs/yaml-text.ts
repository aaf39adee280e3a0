import type { JsonValue } from '../../core/text/json.ts';
import { yamlLibrary } from '../yaml-library.ts';

/** A value as YAML; characters that could move a cursor are escaped. */
export function yamlText(value: JsonValue): string {
  const text = yamlLibrary().stringify(value, {
    lineWidth: 0,
    defaultStringType: 'PLAIN',
    // Blocks would hold control characters as they are; quotes escape them.
    blockQuote: false,
  });
  return text;
}
