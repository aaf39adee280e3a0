import { type KpiValue, seriesLabels } from '../../../formats/core/kpi/kpi.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';

/** A test that is to be judged. */
export interface CurrentTest {
  readonly testId: string;
  readonly location: string;
  readonly labels: JsonObject;
  /** Metadata of its payload, for readers of the report. */
  readonly settings: JsonObject;
  readonly values: readonly KpiValue[];
}

/** Tests with the same labels are repetitions of one entry. The original takes each for one of its own. */
export function groupTests(
  tests: readonly CurrentTest[],
  isCompat: boolean,
): readonly (readonly CurrentTest[])[] {
  if (isCompat) return tests.map((test) => [test]);
  const groups = new Map<string, CurrentTest[]>();
  for (const test of tests) {
    const labels = Object.entries(seriesLabels(test.labels)).filter(([key]) => !key.startsWith('@'));
    const key = JSON.stringify(labels);
    const same = groups.get(key);
    if (same) same.push(test);
    else groups.set(key, [test]);
  }
  return [...groups.values()];
}
