import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { EntryAnalysis, KpiAnalysis, RegressionAnalysis } from './analysis.ts';
import { summarizeAnalysis } from './regression-summary.ts';

/** Everything that was found, for programs. What is not there is null, never left out. */
export function analysisJson(analysis: RegressionAnalysis): JsonObject {
  const { method, minEffect, isCompat, variables, left, history, warnings } = analysis;
  return {
    method,
    min_effect: minEffect,
    compat: isCompat,
    summary: { ...summarizeAnalysis(analysis) },
    variables,
    history: { tests: history.tests },
    left_out: {
      entries: left.entries,
      ignored_kpis: left.ignoredKpis,
      list_kpis: left.listKpis,
      filtered_kpis: left.filteredKpis,
    },
    warnings,
    unknown_direction: undirectedKpis(analysis),
    entries: analysis.entries.map(entryJson),
  };
}

/** Names of KPIs that changed, and of which nobody knows which direction is good. */
export function undirectedKpis({ entries }: RegressionAnalysis): readonly string[] {
  const changed = entries.flatMap(({ kpis }) => kpis.filter(({ state }) => state === 'changed'));
  return [...new Set(changed.map(({ definition }) => definition.name))];
}

function entryJson({
  number,
  name,
  reference,
  labels,
  tests,
  order,
  kpis,
  notes,
  historyTests,
}: EntryAnalysis) {
  return {
    entry: number,
    name,
    reference,
    labels,
    tests: tests.map((test) => ({ ...test })),
    history_tests: historyTests,
    history_order: order,
    notes,
    kpis: kpis.map(kpiJson),
  };
}

function kpiJson(kpi: KpiAnalysis): JsonObject {
  const {
    definition,
    state,
    likely,
    heldBack,
    values,
    newest,
    history,
    level,
    shift,
    p,
    adjustedP,
    method,
    verdict,
    explanation,
    notes,
  } = kpi;
  return {
    kpi: definition.name,
    unit: definition.unit,
    better: definition.better,
    better_from: definition.betterFrom ?? (definition.better === 'unknown' ? null : 'declared'),
    state,
    likely: likely ?? null,
    held_back: heldBack ?? null,
    values,
    newest,
    estimand: verdict ? estimandOf(values.length) : null,
    history: history.map(({ name, at, value, testIds }) => ({
      name,
      at: Number.isNaN(at) ? null : at,
      value,
      test: testIds[0],
      tests: testIds.length,
    })),
    level: level ? (JSON.parse(JSON.stringify(level)) as JsonValue) : null,
    shift: shift ? (JSON.parse(JSON.stringify(shift)) as JsonValue) : null,
    p: p ?? null,
    adjusted_p: adjustedP ?? null,
    provisional: verdict?.isProvisional ?? null,
    accepted: method?.accepted ?? null,
    rating: method?.rating ?? null,
    improved: method?.improved ?? null,
    description: method?.description ?? null,
    details: method?.details ?? null,
    explanation: explanation ?? null,
    notes,
  };
}

/** What stands for the tests that were judged: of three or more the median, since one of them may be an outlier. */
function estimandOf(count: number): string {
  return count < 3 ? 'mean' : 'median';
}
