import { seriesLabels } from '../../../formats/core/kpi/kpi.ts';
import type { ComparisonRules } from '../../../formats/core/kpi/workload.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { compareSettingValues, settingText } from '../../../platform/core/text/text-order.ts';
import type { CurrentTest, TestRecord } from './test-record.ts';

/** Labels in which a test and its history must agree: all but bookkeeping, repetitions and the keys of the rules. */
export function matchLabels(labels: JsonObject, rules: ComparisonRules): JsonObject {
  const left = new Set([...rules.comparisonKeys, ...rules.ignoredKeys]);
  const kept = Object.entries(seriesLabels(labels)).filter(([key]) => !left.has(key) && !key.startsWith('@'));
  return Object.fromEntries(kept);
}

/** What a test is compared over: the value of the one key, or "k=v|k2=v2". Without keys each test is one of its own. */
export function referenceName(
  labels: JsonObject,
  { comparisonKeys }: ComparisonRules,
  testId: string,
): string {
  const [first, ...others] = comparisonKeys;
  if (first === undefined) return testId;
  if (others.length === 0) return settingText(labels[first] ?? null);
  return comparisonKeys.map((key) => `${key}=${settingText(labels[key] ?? null)}`).join('|');
}

/** Whether a label has one of the values whose tests are not judged. The label, or undefined. */
export function ignoringLabel(labels: JsonObject, { ignoredEntries }: ComparisonRules): string | undefined {
  return Object.keys(ignoredEntries).find((key) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return (
      value !== undefined && (ignoredEntries[key] ?? []).some((one) => identity(one) === identity(value))
    );
  });
}

export interface HistoryIndex {
  /** Records that have all these labels with these values, 4 and "4" being two. */
  matching(wanted: JsonObject): readonly TestRecord[];
  /** How many more there were if 4 and "4" were one. */
  alike(wanted: JsonObject): number;
}

/** Finds records by any set of labels; one pass over all of them for each set of names, which tests of one kind share. */
export function indexHistory(records: readonly TestRecord[]): HistoryIndex {
  const tables = new Map<string, ReadonlyMap<string, readonly TestRecord[]>>();
  const tableOf = (names: readonly string[], textOf: (value: JsonValue) => string) => {
    const key = JSON.stringify([textOf.name, ...names]);
    const known = tables.get(key) ?? group(records, names, textOf);
    tables.set(key, known);
    return known;
  };
  const find = (wanted: JsonObject, textOf: (value: JsonValue) => string) => {
    const names = Object.keys(wanted);
    return tableOf(names, textOf).get(keyOf(wanted, names, textOf)) ?? [];
  };
  return {
    matching: (wanted) => find(wanted, identity),
    alike: (wanted) => find(wanted, settingText).length - find(wanted, identity).length,
  };
}

function group(
  records: readonly TestRecord[],
  names: readonly string[],
  textOf: (value: JsonValue) => string,
): ReadonlyMap<string, readonly TestRecord[]> {
  const table = new Map<string, TestRecord[]>();
  for (const record of records) {
    const key = keyOf(record.labels, names, textOf);
    const same = table.get(key);
    if (same) same.push(record);
    else table.set(key, [record]);
  }
  return table;
}

/** A label that is missing is one without a value. */
function keyOf(labels: JsonObject, names: readonly string[], textOf: (value: JsonValue) => string): string {
  const labelOf = (name: string) => (Object.hasOwn(labels, name) ? (labels[name] ?? null) : null);
  return JSON.stringify(names.map((name) => textOf(labelOf(name))));
}

function identity(value: JsonValue): string {
  return JSON.stringify(value);
}

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
