import { seriesLabels } from '../../../formats/core/kpi/kpi.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { mean } from '../../../stats/summary.ts';
import type { Fact } from '../explain/explanation.ts';
import { explanationSentence } from '../explain/explanation-text.ts';
import { factColumns, isInformative, settingFacts } from '../explain/flat-facts.ts';
import { rankCauses } from '../explain/rank-causes.ts';
import { findChanges } from '../levels/find-changes.ts';
import type { ChangePoint, Level } from '../levels/levels.ts';
import type { KpiAnalysis } from './analysis.ts';

export interface LabelledKpi {
  readonly kpi: KpiAnalysis;
  /** Labels of each value of the history of the KPI, and of the newest. */
  readonly history: readonly JsonObject[];
  readonly newest: JsonObject;
  /** Labels that are compared: they differ by design, and explain nothing. */
  readonly compared: readonly string[];
}

/** Which labels are others than in the history, in a sentence; undefined where none is, or nothing changed. */
export function explainKpi({ kpi, history, newest, compared }: LabelledKpi): string | undefined {
  const { level, shift, p = 1, newest: values } = kpi;
  if (!level || !shift || values.length === 0 || !CHANGES.has(kpi.state)) return undefined;
  const past = Float64Array.from(kpi.history, ({ value }) => value);
  const index = past.length;
  const all = Float64Array.from([...past, ...values]);
  const after: Level = {
    start: index,
    end: all.length,
    value: mean(values),
    scale: level.scale,
    count: values.length,
  };
  const change: ChangePoint = { index, before: { ...level, end: index }, after, shift, p };
  const known = findChanges({ values: past });
  const facts = [...history, ...values.map(() => newest)].map((labels) => factsOf(labels, compared));
  const ranked = rankCauses(
    {
      values: all,
      levels: { ...known, levels: [...known.levels, after], changes: [...known.changes, change] },
      change,
    },
    factColumns(facts).filter(isInformative),
  );
  return ranked.causes.length === 0 ? undefined : explanationSentence(ranked, []);
}

const CHANGES: ReadonlySet<string> = new Set(['regression', 'improvement', 'changed']);

function factsOf(labels: JsonObject, compared: readonly string[]): readonly Fact[] {
  // Bookkeeping such as urls and run_id differs from test to test, and is never compared.
  const own = Object.entries(seriesLabels(labels)).filter(([name]) => !compared.includes(name));
  return settingFacts(Object.fromEntries(own), 'setting');
}
