import type { KpiDefinition } from '../../../formats/core/kpi/kpi.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { formatChange, plainly } from '../../../platform/core/text/numbers.ts';
import { mean } from '../../../stats/summary.ts';
import type { Fact } from '../explain/explanation.ts';
import { explanationSentence } from '../explain/explanation-text.ts';
import { factColumns, isInformative, settingFacts } from '../explain/flat-facts.ts';
import { rankCauses } from '../explain/rank-causes.ts';
import { findChanges } from '../levels/find-changes.ts';
import type { ChangePoint, Level, NewestVerdict } from '../levels/levels.ts';
import { judgeNewest } from '../newest/judge-newest.ts';
import type { HistoryPoint, KpiAnalysis, KpiState } from './analysis.ts';
import type { MethodResult, RegressionMethod } from './regression-method.ts';

/** Everything about one KPI before it is judged. */
export interface KpiCase {
  readonly definition: KpiDefinition;
  readonly values: readonly number[];
  readonly history: readonly HistoryPoint[];
  readonly notes: readonly string[];
}

export interface KpiRules {
  /** Absent: our own. */
  readonly method?: RegressionMethod;
  readonly minEffect: number;
  readonly isCompat: boolean;
}

export function judgeKpi(found: KpiCase, rules: KpiRules): KpiAnalysis {
  // The original finds no change in a value that is not there, and lets it pass.
  if (found.values.length === 0) {
    return rules.isCompat && found.history.length > 0 ? passed(found) : { ...found, state: 'no-value' };
  }
  if (found.history.length === 0) return { ...found, state: 'no-history' };
  return rules.method ? byMethod(found, rules.method, rules) : byLevel(found, rules);
}

function passed(found: KpiCase): KpiAnalysis {
  return {
    ...found,
    state: 'inline',
    method: { accepted: true, rating: 0, description: 'Inline', details: [] },
  };
}

/** Our own: the newest values against the level at which the history ends. */
function byLevel(found: KpiCase, { minEffect }: KpiRules): KpiAnalysis {
  const { definition, history, values, notes } = found;
  const series = Float64Array.from(history, ({ value }) => value);
  const { levels, changes } = findChanges({ values: series });
  const level = levels.at(-1);
  const verdict = judgeNewest(
    {
      history: series.subarray(level?.start ?? 0),
      newest: Float64Array.from(values),
      better: definition.better,
    },
    { minEffect },
  );
  const last = changes.at(-1);
  const began = last
    ? [
        `The level it is compared with began at ${history[last.index]?.name}: ${plainly(formatChange(last.shift.relative?.change ?? Number.NaN))} from the one before.`,
      ]
    : [];
  const { shift, p } = verdict;
  return {
    ...found,
    state: p === undefined ? 'too-few' : STATES[verdict.verdict],
    verdict,
    ...(level && { level }),
    ...(shift && { shift }),
    ...(p !== undefined && { p }),
    notes: [...notes, ...verdict.notes, ...began],
  };
}

const STATES: Readonly<Record<NewestVerdict['verdict'], KpiState>> = {
  slower: 'regression',
  faster: 'improvement',
  changed: 'changed',
  same: 'same',
  undecided: 'undecided',
};

function byMethod(found: KpiCase, method: RegressionMethod, { isCompat }: KpiRules): KpiAnalysis {
  const { definition, history, values, notes } = found;
  const lowerBetter = definition.better === 'unknown' ? undefined : definition.better === 'lower';
  const result = method.judge(
    Float64Array.from(history, ({ value }) => value),
    mean(values),
    { lowerBetter },
  );
  const repeated = values.length > 1 ? [`The mean of ${values.length} tests was judged.`] : [];
  const state = stateOf(result, isCompat || lowerBetter !== undefined);
  return { ...found, state, method: result, notes: [...notes, ...repeated] };
}

function stateOf({ accepted, improved, rating = 0 }: MethodResult, hasDirection: boolean): KpiState {
  if (improved && rating >= 1) return hasDirection ? 'improvement' : 'changed';
  if (accepted === undefined) return 'too-few';
  if (accepted) return 'inline';
  return hasDirection ? 'regression' : 'changed';
}

export interface LabelledKpi {
  readonly kpi: KpiAnalysis;
  /** Labels of each test of the history of the KPI, and of the newest. */
  readonly history: readonly JsonObject[];
  readonly newest: JsonObject;
  /** Labels that are compared: they differ by design, and explain nothing. */
  readonly compared: readonly string[];
}

/** Which labels are others than in the history, in a sentence; undefined where none is, or nothing changed. */
export function explainKpi({ kpi, history, newest, compared }: LabelledKpi): string | undefined {
  const { level, shift, p = 1, values } = kpi;
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
  const own = Object.entries(labels).filter(([name]) => !compared.includes(name));
  return settingFacts(Object.fromEntries(own), 'setting');
}
