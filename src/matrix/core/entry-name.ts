import type { MatrixEntry } from '../../formats/core/kpi/matrix-entry.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { settingText } from '../../platform/core/text/text-order.ts';
import type { Matrix } from './matrix.ts';

/** "k=v, k=v" of the keys that tell entries apart: those with more than one value, as far as this entry has one. */
export function entryName(entry: MatrixEntry, keys: readonly string[], matrix: Matrix): string {
  return keys
    .filter((key) => {
      const values = matrix.settings.get(key) ?? [];
      return (entry.settings[key] ?? null) !== null && values.filter((value) => value !== null).length > 1;
    })
    .map((key) => `${key}=${settingText(entry.settings[key] as JsonValue)}`)
    .join(', ');
}
