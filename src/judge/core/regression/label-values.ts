import { seriesLabels } from '../../../formats/core/kpi/kpi.ts';
import type { ComparisonRules } from '../../../formats/core/kpi/workload.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { compareSettingValues, settingText } from '../../../platform/core/text/text-order.ts';
import type { CurrentTest } from './current-test.ts';

/** Labels with more than one value, by name, the sorting keys first. */
export function variableLabels(
  tests: readonly CurrentTest[],
  { sortingKeys }: ComparisonRules,
): readonly string[] {
  const values = labelValues(tests);
  const varying = Object.keys(values).filter((key) => (values[key] ?? []).length > 1 && !key.startsWith('@'));
  return [
    ...sortingKeys.filter((key) => varying.includes(key)),
    ...varying.filter((key) => !sortingKeys.includes(key)),
  ];
}

/** Values of each label as texts, in their order. */
export function labelValues(
  tests: readonly { readonly labels: JsonObject }[],
): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, Map<string, JsonValue>>();
  for (const { labels } of tests) {
    for (const [key, value] of Object.entries(seriesLabels(labels))) {
      const known = found.get(key) ?? new Map<string, JsonValue>();
      found.set(key, known.set(settingText(value), value));
    }
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([key, values]) => [key, [...values.values()].sort(compareSettingValues).map(settingText)]),
  );
}

/** Order of entries by these labels, numbers and versions by their size. */
export function byLabels(variables: readonly string[]) {
  return ([a]: readonly CurrentTest[], [b]: readonly CurrentTest[]): number => {
    for (const key of variables) {
      const order = compareSettingValues(a?.labels[key] ?? null, b?.labels[key] ?? null);
      if (order !== 0) return order;
    }
    return 0;
  };
}
