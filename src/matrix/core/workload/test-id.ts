import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { sha256 } from '../../../platform/core/text/sha256.ts';

/** The field with the content of the file .uuid. */
export const TEST_ID_FIELD = 'test_uuid';
export const TEST_ID_FILE = '.uuid';

/** The id of a test: its own, or a hash of path and settings in the form of a UUID v4. */
export function testIdOf(entry: MatrixEntry, rule: 'file' | 'hash'): string {
  const own = entry.results[TEST_ID_FIELD];
  if (rule === 'file' && typeof own === 'string') return own;
  const hash = sha256(canonicalJson({ location: entry.location, settings: entry.settings }));
  const variant = '89ab'[Number.parseInt(hash.slice(16, 17), 16) % 4];
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

/** JSON with sorted keys: equal values have equal texts. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}
