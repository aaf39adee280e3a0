import type { KpiDefinition } from '../../../formats/core/kpi/kpi.ts';
import { formatChange, plainly } from '../../../platform/core/text/numbers.ts';
import { mean } from '../../../stats/summary.ts';
import { findChanges } from '../levels/find-changes.ts';
import type { NewestVerdict } from '../levels/levels.ts';
import { judgeNewest } from '../newest/judge-newest.ts';
import type { HistoryPoint, KpiAnalysis, KpiState } from './analysis.ts';
import type { MethodResult, RegressionMethod } from './method.ts';

/** Everything that is known of one KPI before it is judged. */
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
