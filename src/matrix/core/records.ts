import {
  identityOf,
  keyText,
  type MatrixEntry,
  type SettingList,
  type Settings,
} from '../../formats/core/kpi/matrix-entry.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { settingText } from '../../platform/core/text/text-order.ts';
import type { Matrix } from './matrix.ts';

export interface RecordsOptions {
  /** Gathered entries instead of the others. */
  readonly isGathered?: boolean;
  /** As the original tool: without axes every entry, whatever is fixed. */
  readonly isCompat?: boolean;
}

/** Keys of stored KPIs that do not describe what was tested. */
const META_KEYS = new Set([
  ...['kpi_settings_version', 'lts_schema_version', 'help', 'unit', '@timestamp', 'value', 'run_id', 'urls'],
  ...['test_path', 'ci_engine', 'test_uuid', 'exit_code', 'format', 'full_format', 'ignored_for_regression'],
  ...['divisor', 'divisor_unit', 'lower_better'],
]);

/**
 * The entries at the points that the axes span, the last axis varying fastest; points without an entry are skipped.
 * Without axes the fixed settings select.
 */
export function* allRecords(
  matrix: Matrix,
  query: { readonly settings: Settings; readonly lists: readonly SettingList[] },
  options: RecordsOptions = {},
): Generator<MatrixEntry> {
  const { settings, lists } = query;
  if (lists.length === 0) {
    const fixed = options.isCompat ? {} : settings;
    yield* filterRecords(matrix, fixed, options);
    return;
  }
  for (const point of pointsOf(settings, lists, 0)) {
    const record = getRecord(matrix, point);
    if (record && (record.gathered !== undefined) === (options.isGathered ?? false)) yield record;
  }
}

export function countRecords(
  matrix: Matrix,
  query?: { readonly settings: Settings; readonly lists: readonly SettingList[] },
  options: RecordsOptions = {},
): number {
  if (query === undefined) return matrix.entries.length;
  let count = 0;
  for (const _ of allRecords(matrix, query, options)) count++;
  return count;
}

/** The entry with exactly these settings; "4" also finds 4, for settings that come from a URL. */
export function getRecord(matrix: Matrix, settings: Settings): MatrixEntry | undefined {
  const found = matrix.byKey.get(keyText(settings));
  if (found === undefined || found.length === 1) return found?.[0];
  const identity = identityOf(settings);
  return found.find((entry) => identityOf(entry.settings) === identity) ?? found[0];
}

/** Entries that have all of the given settings. */
export function* filterRecords(
  matrix: Matrix,
  settings: Settings,
  { isGathered = false }: RecordsOptions = {},
): Generator<MatrixEntry> {
  const wanted = Object.entries(settings).filter(([key]) => key !== 'stats');
  for (const entry of isGathered ? matrix.gathered : matrix.entries) {
    if (wanted.every(([key, value]) => isSame(entry.settings[key], value))) yield entry;
  }
}

/** Entries with the values of the reference in all its keys but the ignored ones. */
export function* similarRecords(
  matrix: Matrix,
  reference: Settings,
  options: RecordsOptions & { readonly ignoredKeys?: readonly string[] } = {},
): Generator<MatrixEntry> {
  const ignored = new Set(options.ignoredKeys);
  const kept = Object.entries(reference).filter(([key]) => !ignored.has(key) && !META_KEYS.has(key));
  yield* filterRecords(matrix, Object.fromEntries(kept), options);
}

function* pointsOf(settings: Settings, lists: readonly SettingList[], from: number): Generator<Settings> {
  const list = lists[from];
  if (list === undefined) yield settings;
  else for (const [key, value] of list) yield* pointsOf({ ...settings, [key]: value }, lists, from + 1);
}

function isSame(value: JsonValue | undefined, wanted: JsonValue): boolean {
  if (value === undefined) return false;
  return value === wanted || settingText(value) === settingText(wanted);
}

/** "k=v, k=v" of the keys that have more than one value in the matrix, and a value in this entry. */
export function entryName(entry: MatrixEntry, keys: readonly string[], matrix: Matrix): string {
  return keys
    .filter((key) => {
      const values = matrix.settings.get(key) ?? [];
      return (entry.settings[key] ?? null) !== null && values.filter((value) => value !== null).length > 1;
    })
    .map((key) => `${key}=${settingText(entry.settings[key] as JsonValue)}`)
    .join(', ');
}
