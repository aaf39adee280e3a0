import { parseResultJson } from '../../../formats/core/parse-json.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';

/** Two commands of a file of `nightmark duet --export-json`, run by run, in seconds. */
export interface ExportedPairs {
  readonly name: string;
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** False where all of A ran before all of B: run 3 of either side then has nothing in common. */
  readonly isPaired: boolean;
}

/** Comparisons in the file; none in a file of hyperfine itself. */
export function exportedPairs(text: string): readonly ExportedPairs[] {
  const root = parseResultJson(text, 'Use the file of "nightmark duet ... --export-json FILE".');
  const ours = at(root, 'nightmark', 'comparisons');
  if (!Array.isArray(ours)) return [];
  return (ours as readonly JsonValue[]).flatMap((comparison) => {
    const [a, b] = [timesOf(comparison, 'A'), timesOf(comparison, 'B')];
    const command = at(comparison, 'sides', 'A', 'command');
    const name = typeof command === 'string' ? command : 'A';
    return a && b ? [{ name, a, b, isPaired: at(comparison, 'mode') !== 'one-after-another' }] : [];
  });
}

function timesOf(comparison: JsonValue, side: 'A' | 'B'): readonly number[] | undefined {
  const times = at(comparison, 'sides', side, 'times');
  const isTimes = Array.isArray(times) && times.every((time) => typeof time === 'number' && time > 0);
  return isTimes ? (times as readonly number[]) : undefined;
}

function at(root: JsonValue | undefined, ...keys: readonly string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) ? value[key] : undefined),
    root,
  );
}
