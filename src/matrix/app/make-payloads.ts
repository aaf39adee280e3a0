import { type MadePayload, makePayload } from '../../formats/core/kpi/make-payload.ts';
import type { Settings } from '../../formats/core/kpi/matrix-entry.ts';
import {
  type NumberRule,
  type PayloadProblem,
  payloadCheck,
} from '../../formats/core/kpi/validate-payload.ts';
import type { PayloadRules, Workload } from '../../formats/core/kpi/workload.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import type { MatrixEffects, ParseReport, ParseRequest } from './parse/parse-request.ts';
import { readEntries } from './parse/read-entries.ts';

/** The payload of one test, and the problems that prevent storing it. */
export interface TestPayload extends MadePayload {
  readonly location: string;
  readonly settings: Settings;
  readonly problems: readonly PayloadProblem[];
}

export interface PayloadReport {
  readonly report: ParseReport;
  /** Tests for which the workload could not make a payload. */
  readonly failed: readonly { readonly location: string; readonly reason: string }[];
}

/** Reads a tree and makes the payload of each test, in the order of the tree. A failed test does not affect the others. */
export async function makePayloads(
  { request, numbers }: { readonly request: ParseRequest; readonly numbers: NumberRule },
  take: (payload: TestPayload) => void,
  effects: MatrixEffects,
): Promise<PayloadReport> {
  const { workload } = request;
  const rules = payloadRulesOf(workload);
  const check = payloadCheck(workload, numbers);
  const failed: { location: string; reason: string }[] = [];
  const report = await readEntries(
    request,
    (entry) => {
      const { location, settings } = entry;
      try {
        const made = makePayload(entry, workload.kpis, rules);
        const document = made.payload as unknown as JsonValue; // it was made of JSON values only
        take({ ...made, location, settings, problems: check(document) });
      } catch (error) {
        failed.push({ location, reason: `the workload could not make a payload: ${messageOf(error)}` });
      }
    },
    effects,
  );
  return { report, failed };
}

export function payloadRulesOf({ name, payload }: Workload): PayloadRules {
  if (payload) return payload;
  throw new NightmarkError('MATRIX_NO_KPIS', `The workload ${name} has no labels and no KPIs.`, {
    hint: 'Add "kpis:" to it; see docs/reference/kpis.md.',
  });
}
