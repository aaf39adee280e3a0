import type { ComparisonRules } from '../../../formats/core/kpi/workload.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { compareNaturally } from '../../../platform/core/text/text-order.ts';
import { type HistoryIndex, matchLabels, referenceName } from './match-labels.ts';
import type { TestRecord } from './test-record.ts';

export type HistoryOrder = 'version' | 'time' | 'text';

export interface ChosenHistory {
  /** Oldest first. */
  readonly tests: readonly { readonly name: string; readonly record: TestRecord }[];
  readonly order: HistoryOrder;
  readonly notes: readonly string[];
}

export interface HistoryRules {
  readonly comparison: ComparisonRules;
  /** Absent: by version where all names are versions, by time otherwise. */
  readonly order?: 'version' | 'time';
  /** The original's: order of texts, one test of each version. */
  readonly isCompat: boolean;
}

export interface Reference {
  readonly name: string;
  readonly labels: JsonObject;
  readonly testIds: readonly string[];
}

/** The tests of the past that are like this one, but for what is compared. Of its own version none: it is what is judged. */
export function chooseHistory(
  { name: own, labels, testIds }: Reference,
  index: HistoryIndex,
  { comparison, order, isCompat }: HistoryRules,
): ChosenHistory {
  const wanted = matchLabels(labels, comparison);
  const named = index.matching(wanted).map((record) => ({
    name: referenceName(record.labels, comparison, record.testId),
    record,
  }));
  const others = named.filter(({ name, record }) => name !== own && !testIds.includes(record.testId));
  const notes: string[] = [];
  const again = named.filter(({ name, record }) => name === own && !testIds.includes(record.testId)).length;
  if (again > 0)
    notes.push(`${again} tests of the history are of ${own} itself: they are not used as a baseline.`);
  const alike = index.alike(wanted);
  if (alike > 0)
    notes.push(
      `${alike} tests of the history differ in the type of a label only (4 and "4"): they are not used.`,
    );
  const by = isCompat ? 'text' : (order ?? orderOf(others, comparison));
  if (by === 'time' && others.some(({ record }) => Number.isNaN(record.at)))
    notes.push('Some tests of the history have no start: they are taken for the oldest.');
  const kept = isCompat ? onePerName(others) : others;
  return { tests: [...kept].sort(ORDERS[by]), order: by, notes };
}

type Named = ChosenHistory['tests'][number];

function orderOf(tests: readonly Named[], { comparisonKeys }: ComparisonRules): 'version' | 'time' {
  return comparisonKeys.length === 1 && tests.every(({ name }) => isVersion(name)) ? 'version' : 'time';
}

const ORDERS: Readonly<Record<HistoryOrder, (a: Named, b: Named) => number>> = {
  version: (a, b) => compareVersions(a.name, b.name) || byTime(a, b),
  time: byTime,
  text: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
};

/** Whatever the order of the files. */
function byTime({ record: a, name }: Named, { record: b, name: other }: Named): number {
  const order = startOf(a) - startOf(b) || compareVersions(name, other);
  return order || (a.testId < b.testId ? -1 : a.testId > b.testId ? 1 : 0);
}

function startOf({ at }: TestRecord): number {
  return Number.isNaN(at) ? Number.MIN_SAFE_INTEGER : at;
}

/** Tests with the same labels are one, of which the first counts; of those with one name the last. */
function onePerName(tests: readonly Named[]): readonly Named[] {
  const groups = new Map<string, Named>();
  for (const test of tests) {
    const key = JSON.stringify(Object.entries(test.record.labels).sort());
    if (!groups.has(key)) groups.set(key, test);
  }
  return [...new Map([...groups.values()].map((test) => [test.name, test])).values()];
}

/** "1.10", "v2.0.0-rc1+2024-09-02": numbers with dots first, then anything behind a dash or a plus. */
const VERSION =
  /^v?(\d+(?:\.\d+)*)(?:[-_.]?((?:rc|a|b|alpha|beta|dev|pre|post)[\w.]*)|-([^+]*))?(?:\+(.*))?$/i;

export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** Older versions first: 1.9 before 1.10, and a release after what preceded it (https://semver.org, rule 11). */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [VERSION.exec(a), VERSION.exec(b)];
  if (!one || !other) return compareNaturally(a, b);
  const numbers = compareNumbers(one[1] ?? '', other[1] ?? '');
  if (numbers !== 0) return numbers;
  const [before, otherBefore] = [one[2] ?? one[3], other[2] ?? other[3]];
  if ((before === undefined) !== (otherBefore === undefined)) {
    return before === undefined ? rankOf(otherBefore) : -rankOf(before);
  }
  const early = compareNaturally(before ?? '', otherBefore ?? '');
  return early || compareNaturally(one[4] ?? '', other[4] ?? '') || compareNaturally(a, b);
}

/** A "post" release follows the release; everything else precedes it. */
function rankOf(suffix: string | undefined): number {
  return /^post/i.test(suffix ?? '') ? -1 : 1;
}

/** 1.2 and 1.2.0 are the same. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareNaturally(strip(left[at]), strip(right[at]));
    if (order !== 0) return order;
  }
  return 0;
}

function strip(digits = '0'): string {
  return digits.replace(/^0+(?=\d)/, '');
}
