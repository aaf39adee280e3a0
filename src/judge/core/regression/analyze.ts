import { type KpiDefinition, seriesLabels } from '../../../formats/core/kpi/kpi.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import type { EntryAnalysis, HistoryPoint, KpiAnalysis, RegressionAnalysis } from './analysis.ts';
import { type ChosenHistory, chooseHistory, type HistoryRules } from './choose-history.ts';
import { correctMany } from './correct-many.ts';
import { type CurrentTest, groupTests } from './current-test.ts';
import { explainKpi } from './explain-kpi.ts';
import { holdHistory, type OpenRegression } from './hold-history.ts';
import { judgeKpi, type KpiCase, type KpiRules } from './judge-kpi.ts';
import { byLabels, labelValues, variableLabels } from './label-values.ts';
import { type HistoryIndex, ignoringLabel, indexHistory, referenceName } from './match-labels.ts';
import { sortOut } from './sort-out.ts';
import type { TestRecord } from './test-record.ts';

export interface AnalysisRules extends KpiRules, HistoryRules {
  /** Part of the names of the KPIs that are wanted; "" is all. */
  readonly kpiFilter: string;
  /** Of the homes that the history comes from. */
  readonly open?: readonly OpenRegression[];
}

export interface AnalysisInput {
  readonly tests: readonly CurrentTest[];
  readonly history: readonly TestRecord[];
}

/** Judges every KPI of every test against the history of its like. */
export function analyzeRegressions(input: AnalysisInput, rules: AnalysisRules): RegressionAnalysis {
  const { comparison, isCompat } = rules;
  const wanted = input.tests.filter(({ labels }) => ignoringLabel(labels, comparison) === undefined);
  const { definitions, left } = sortOut(input.tests, wanted, rules);
  const variables = variableLabels(wanted, comparison);
  const index = indexHistory(input.history);
  const groups = [...groupTests(wanted, isCompat)].sort(byLabels(variables));
  const judged = groups.map((tests, at) =>
    analyzeEntry({ tests, index, definitions, number: at + 1, variables }, rules),
  );
  return {
    method: rules.method?.name ?? 'nightmark',
    isCompat,
    minEffect: rules.minEffect,
    entries: rules.method ? judged : correctMany(judged),
    variables,
    kpis: definitions,
    left,
    history: { tests: input.history.length, labels: labelValues(input.history) },
    warnings: definitions
      .filter(({ better }) => better === 'unknown')
      .map(({ name }) => `${name} has no direction: a change of it is neither better nor worse.`),
  };
}

interface EntryCase {
  readonly tests: readonly CurrentTest[];
  readonly index: HistoryIndex;
  readonly definitions: readonly KpiDefinition[];
  readonly number: number;
  readonly variables: readonly string[];
}

function analyzeEntry(
  { tests, index, definitions, number, variables }: EntryCase,
  rules: AnalysisRules,
): EntryAnalysis {
  const { labels = {}, settings = {}, testId = '' } = tests[0] ?? {};
  const reference = referenceName(labels, rules.comparison, testId);
  const testIds = tests.map((test) => test.testId);
  const chosen = chooseHistory({ name: reference, labels, testIds }, index, rules);
  return {
    number,
    name: variables.map((key) => `${key}=${settingText(labels[key] ?? null)}`).join(', '),
    reference,
    labels: seriesLabels(labels),
    settings,
    tests: tests.map(({ testId: id, location }) => ({ id, location })),
    historyTests: chosen.tests.length,
    order: chosen.order,
    kpis: definitions.map((definition) =>
      explained(judgeKpi(kpiCase(definition, { tests, chosen }, rules), rules), { labels, chosen }, rules),
    ),
    notes: chosen.notes,
  };
}

/** The original explains nothing. */
function explained(
  kpi: KpiAnalysis,
  { labels, chosen }: { readonly labels: JsonObject; readonly chosen: ChosenHistory },
  { comparison, isCompat }: AnalysisRules,
): KpiAnalysis {
  if (isCompat) return kpi;
  const labelsOf = new Map(chosen.tests.map(({ record }) => [record.testId, record.labels]));
  const explanation = explainKpi({
    kpi,
    history: kpi.history.map(({ testId }) => labelsOf.get(testId) ?? {}),
    newest: labels,
    compared: comparison.comparisonKeys,
  });
  return explanation === undefined ? kpi : { ...kpi, explanation, notes: [explanation, ...kpi.notes] };
}

function kpiCase(
  definition: KpiDefinition,
  { tests, chosen }: { readonly tests: readonly CurrentTest[]; readonly chosen: ChosenHistory },
  { open = [], isCompat }: AnalysisRules,
): KpiCase {
  const own = tests.flatMap(({ values }) => values.filter((it) => it.definition.name === definition.name));
  const values = own.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  const problems = own.flatMap(({ value, problem }) =>
    value === null ? [problem ?? 'It has no value.'] : [],
  );
  const history: HistoryPoint[] = [];
  const without: string[] = [];
  for (const { name, record } of chosen.tests) {
    const value = record.values.get(definition.name);
    if (value === null || value === undefined) without.push(name);
    else history.push({ name, at: record.at, value, testId: record.testId });
  }
  const gaps =
    without.length === 0
      ? []
      : [`${without.length} tests of the history have no value: ${shortList(without)}.`];
  const held = holdHistory(definition.name, history, isCompat ? [] : open);
  return { definition, values, history: held.history, notes: [...problems, ...gaps, ...held.notes] };
}

function shortList(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} ...` : names.join(', ');
}
