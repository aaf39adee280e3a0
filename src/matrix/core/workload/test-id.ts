import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import { sha256 } from '../../../platform/core/text/sha256.ts';
import { canonicalJson } from './canonical-json.ts';

/** The field that holds what the file .uuid says. */
export const TEST_ID_FIELD = 'test_uuid';
export const TEST_ID_FILE = '.uuid';

/** The id of a test: the one that it brought, or one that path and settings always give. It has the form of a UUID v4. */
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
