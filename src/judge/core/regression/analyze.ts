import { type KpiDefinition, seriesLabels } from '../../../formats/core/kpi/kpi.ts';
import type { ComparisonRules } from '../../../formats/core/kpi/workload.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import { adjustedPValues } from '../../../stats/false-discovery.ts';
import type {
  EntryAnalysis,
  HistoryPoint,
  KpiAnalysis,
  KpiState,
  LeftOut,
  RegressionAnalysis,
} from './analysis.ts';
import { type ChosenHistory, chooseHistory, type HistoryRules } from './choose-history.ts';
import { explainKpi, judgeKpi, type KpiCase, type KpiRules } from './judge-kpi.ts';
import {
  byLabels,
  type HistoryIndex,
  ignoringLabel,
  indexHistory,
  labelValues,
  referenceName,
  variableLabels,
} from './match-labels.ts';
import { type CurrentTest, groupTests, type TestRecord } from './test-record.ts';

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

/** Which KPIs are judged, and which are not and why. */
function sortOut(
  all: readonly CurrentTest[],
  wanted: readonly CurrentTest[],
  { comparison, kpiFilter }: { readonly comparison: ComparisonRules; readonly kpiFilter: string },
): { readonly definitions: readonly KpiDefinition[]; readonly left: LeftOut } {
  const known = new Map(all.flatMap(({ values }) => values.map((it) => [it.definition.name, it.definition])));
  const isList = ({ name }: KpiDefinition) =>
    all.some(({ values }) => values.some((it) => it.definition.name === name && Array.isArray(it.value)));
  const definitions: KpiDefinition[] = [];
  const [ignoredKpis, listKpis, filteredKpis]: [string[], string[], string[]] = [[], [], []];
  for (const definition of known.values()) {
    if (definition.isIgnoredForRegression) ignoredKpis.push(definition.name);
    else if (isList(definition)) listKpis.push(definition.name);
    else if (!definition.name.includes(kpiFilter)) filteredKpis.push(definition.name);
    else definitions.push(definition);
  }
  const entries = all
    .filter((test) => !wanted.includes(test))
    .map(({ labels, location }) => {
      const key = ignoringLabel(labels, comparison) ?? '';
      return `${location} (${key}=${settingText(labels[key] ?? null)})`;
    });
  return { definitions, left: { entries, ignoredKpis, listKpis, filteredKpis } };
}

/** Of all that is called a change, at most this share may be chance. */
const FALSE_SHARE = 0.05;
const CHANGES: ReadonlySet<KpiState> = new Set(['regression', 'improvement', 'changed']);

/** Over all KPIs of all entries: of a hundred unchanged values, one looks changed at 1 %. */
function correctMany(entries: readonly EntryAnalysis[]): readonly EntryAnalysis[] {
  const all = entries.flatMap(({ kpis }) => kpis);
  const adjusted = adjustedPValues(all.map(({ p }) => p));
  let at = 0;
  return entries.map((entry) => ({
    ...entry,
    kpis: entry.kpis.map((kpi) => withAdjusted(kpi, adjusted[at++])),
  }));
}

function withAdjusted(kpi: KpiAnalysis, adjustedP: number | undefined): KpiAnalysis {
  if (adjustedP === undefined) return kpi;
  if (!CHANGES.has(kpi.state) || adjustedP <= FALSE_SHARE) return { ...kpi, adjustedP };
  const note = `Alone it would be a ${kpi.state}; among so many KPIs that is not certain enough.`;
  return { ...kpi, adjustedP, state: 'undecided', notes: [...kpi.notes, note] };
}

/** A recorded change for the worse that is not accepted: values after it are not a reference. */
export interface OpenRegression {
  readonly id: string;
  readonly kpi: string;
  /** The test at which it begins. */
  readonly testId: string;
}

export interface HeldHistory {
  readonly history: readonly HistoryPoint[];
  readonly notes: readonly string[];
}

/**
 * The history that a KPI may be compared with: it ends before the first regression that is still open, so that a bad level
 * is not learned by waiting. Where that is all there is, it stays whole.
 */
function holdHistory(
  kpi: string,
  history: readonly HistoryPoint[],
  open: readonly OpenRegression[],
): HeldHistory {
  const begins = new Map(open.filter((one) => one.kpi === kpi).map(({ testId, id }) => [testId, id]));
  const place = begins.size === 0 ? -1 : history.findIndex(({ testId }) => begins.has(testId));
  if (place <= 0) return { history, notes: [] };
  const first = history[place] as HistoryPoint; // place is in it
  const id = begins.get(first.testId) ?? '';
  const note = `The reference ends before ${first.name}: an open regression begins there (${id}). To accept it: nightmark changes triage ${id} --state expected`;
  return { history: history.slice(0, place), notes: [note] };
}
