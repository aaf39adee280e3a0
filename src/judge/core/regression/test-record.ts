import type { Payload } from '../../../formats/core/kpi/kpi.ts';
import { kpiNumber, payloadStart } from '../../../formats/core/kpi/read-payload.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';

/** What an analysis keeps of one test of the history: labels and numbers, not the document. */
export interface TestRecord {
  readonly testId: string;
  /** Start of the test: milliseconds since 1970; NaN when it is not known. */
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
