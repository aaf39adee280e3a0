import { inferDirection } from '../../formats/core/infer-direction.ts';
import type { RegressionAnalysis } from '../../judge/core/regression/analysis.ts';
import { type AnalysisRules, analyzeRegressions } from '../../judge/core/regression/analyze.ts';
import { type CurrentTest, type TestRecord, testRecord } from '../../judge/core/regression/test-record.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { ReadDocument, RefusedDocument } from '../core/exporter.ts';
import { makePayloads, type PayloadReport, type TestPayload } from './make-payloads.ts';
import type { MatrixEffects, ParseRequest } from './parse/parse-request.ts';

export interface AnalyzeRequest {
  readonly request: ParseRequest;
  /** Read one by one; only labels and numbers are kept. */
  readonly history: AsyncIterable<ReadDocument>;
  readonly rules: Omit<AnalysisRules, 'comparison'>;
}

export interface AnalyzedResults {
  readonly analysis: RegressionAnalysis;
  readonly made: PayloadReport;
  /** Documents of the history that are not payloads. */
  readonly refused: readonly RefusedDocument[];
  /** Tests that came more than once, by their id. */
  readonly repeated: number;
}

/** Reads a tree of results and a history, and compares the results with the history. */
export async function analyzeResults(
  { request, history, rules }: AnalyzeRequest,
  effects: MatrixEffects,
): Promise<AnalyzedResults> {
  const tests: CurrentTest[] = [];
  const add = (test: CurrentTest) => void tests.push(rules.isCompat ? test : withDirections(test));
  const made = await makePayloads({ request, numbers: 'lenient' }, (test) => add(currentTest(test)), effects);
  const { records, refused, repeated } = await readHistory(history, effects);
  const { comparison } = request.workload;
  const analysis = analyzeRegressions({ tests, history: records }, { ...rules, comparison });
  const lost = `${refused.length} of ${records.length + refused.length} documents of the history are not payloads.`;
  const warnings = refused.length > 0 ? [...analysis.warnings, lost] : analysis.warnings;
  return { analysis: { ...analysis, warnings }, made, refused, repeated };
}

function currentTest({ payload, values, location }: TestPayload): CurrentTest {
  const { settings: labels, ...metadata } = payload.metadata;
  const { urls } = labels;
  const settings = { ...(metadata as JsonObject), ...(urls !== undefined && { urls }) };
  // An incomplete test may lack it.
  const testId = String(payload.metadata.test_uuid ?? '');
  return { testId, location, labels, settings, values };
}

/** Directions that the workload does not say are inferred from name and unit; the original infers nothing. */
function withDirections(test: CurrentTest): CurrentTest {
  const values = test.values.map((value) => {
    const { definition } = value;
    const better =
      definition.better === 'unknown' ? inferDirection([definition.name], definition.unit) : 'unknown';
    return better === 'unknown'
      ? value
      : { ...value, definition: { ...definition, better, betterFrom: 'inferred' as const } };
  });
  return { ...test, values };
}

async function readHistory(
  history: AnalyzeRequest['history'],
  { signal }: MatrixEffects,
): Promise<{
  readonly records: readonly TestRecord[];
  readonly refused: readonly RefusedDocument[];
  readonly repeated: number;
}> {
  const byId = new Map<string, TestRecord>();
  const refused: RefusedDocument[] = [];
  let read = 0;
  for await (const document of history) {
    if (signal.aborted)
      throw new NightmarkError('EXPORT_INTERRUPTED', 'Reading the history was interrupted.');
    if ('reason' in document) refused.push(document);
    else {
      read++;
      byId.set(document.id, testRecord(document.payload));
    }
  }
  return { records: [...byId.values()], refused, repeated: read - byId.size };
}
