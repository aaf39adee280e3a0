import { type KpiValue, type Payload, seriesLabels } from '../../../formats/core/kpi/kpi.ts';
import { kpiNumber, payloadStart } from '../../../formats/core/kpi/read-payload.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';

/** What an analysis keeps of one test of the history: labels and numbers, not the document. */
export interface TestRecord {
  readonly testId: string;
  /** Start of the test: milliseconds since 1970; NaN when it is unknown. */
  readonly at: number;
  readonly labels: JsonObject;
  /** Null: there was no value. Lists are left out. */
  readonly values: ReadonlyMap<string, number | null>;
}

export function testRecord(payload: Payload): TestRecord {
  const values = new Map<string, number | null>();
  for (const [name, kpi] of Object.entries(payload.kpis)) {
    const value = kpiNumber(kpi);
    if (value === null || typeof value === 'number') values.set(name, value);
  }
  const { test_uuid: testId, settings: labels } = payload.metadata;
  return { testId, at: payloadStart(payload), labels, values };
}

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
