import type { Settings } from '../../formats/core/kpi/matrix-entry.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { settingText } from '../../platform/core/text/text-order.ts';

/** Wanted values, by setting. */
export type Filters = ReadonlyMap<string, readonly string[]>;

/**
 * Reads "key=v1:v2,key2=v3". "\:" is a colon and "\," a comma of a value. The last value of a repeated key counts, as in
 * the original tool.
 */
export function parseFilters(text: string): Filters {
  const filters = new Map<string, readonly string[]>();
  if (text === '') return filters;
  for (const part of splitUnescaped(text, ',')) {
    const at = part.indexOf('=');
    if (at < 1) {
      throw new NightmarkError('MATRIX_BAD_FILTER', `The filter "${part}" is not of the form key=value.`, {
        hint: 'For example: --filter model=m1,users=4:16 (a colon between values, a comma between settings).',
      });
    }
    const values = splitUnescaped(part.slice(at + 1), ':');
    filters.set(
      part.slice(0, at),
      values.map((value) => value.replace(/\\([:,])/g, '$1')),
    );
  }
  return filters;
}

/**
 * Whether a test passes the filters. A setting that the test does not have is ignored. `isCompat` takes "True" only, as
 * the original tool does; otherwise also "true", as in the file.
 */
export function passesFilters(settings: Settings, filters: Filters, isCompat = false): boolean {
  for (const [key, wanted] of filters) {
    if (!Object.hasOwn(settings, key)) continue;
    const value = settings[key] as JsonValue;
    const spellings = isCompat ? [settingText(value)] : spellingsOf(value);
    if (!spellings.some((spelling) => wanted.includes(spelling))) return false;
  }
  return true;
}

function spellingsOf(value: JsonValue): readonly string[] {
  const text = settingText(value);
  if (typeof value === 'boolean') return [text, String(value)];
  return value === null ? [text, 'null'] : [text];
}

function splitUnescaped(text: string, separator: ':' | ','): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}
