import { type KpiDefinition, seriesLabels } from '../../../formats/core/kpi/kpi.ts';
import type { ComparisonRules } from '../../../formats/core/kpi/workload.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import type { EntryAnalysis, KpiAnalysis, LeftOut, RegressionAnalysis } from './analysis.ts';
import { type ChosenHistory, chooseHistory, type HistoryRules } from './choose-history.ts';
import { explainKpi } from './explain-kpi.ts';
import { type NamedRepeat, unitsToCompare } from './history-units.ts';
import { judgeKpis, type KpiCase, type KpiRules } from './judge-kpi.ts';
import {
  byLabels,
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
  const entries = [...groupTests(wanted, isCompat)]
    .sort(byLabels(variables))
    .map((tests) => ({ tests, chosen: chooseHistory(referenceOf(tests, rules), index, rules) }));
  const cases = entries.map((entry) => definitions.map((definition) => kpiCase(definition, entry, rules)));
  // All KPIs of all entries at once: what is chance among them depends on how many there are.
  const judged = judgeKpis(cases.flat(), rules);
  return {
    method: rules.method?.name ?? 'nightmark',
    isCompat,
    minEffect: rules.minEffect,
    entries: entries.map((entry, at) => {
      const kpis = judged.slice(at * definitions.length, (at + 1) * definitions.length);
      return entryAnalysis(entry, { number: at + 1, variables, kpis }, rules);
    }),
    variables,
    kpis: definitions,
    left,
    history: { tests: input.history.length, labels: labelValues(input.history) },
    warnings: definitions
      .filter(({ better }) => better === 'unknown')
      .map(({ name }) => `${name} has no direction: a change of it is neither better nor worse.`),
  };
}

interface Entry {
  readonly tests: readonly CurrentTest[];
  readonly chosen: ChosenHistory;
}

function referenceOf(tests: readonly CurrentTest[], { comparison }: AnalysisRules) {
  const { labels = {}, testId = '' } = tests[0] ?? {};
  const name = referenceName(labels, comparison, testId);
  return { name, labels, testIds: tests.map((test) => test.testId) };
}

interface Placed {
  readonly number: number;
  readonly variables: readonly string[];
  readonly kpis: readonly KpiAnalysis[];
}

function entryAnalysis(
  entry: Entry,
  { number, variables, kpis }: Placed,
  rules: AnalysisRules,
): EntryAnalysis {
  const { tests, chosen } = entry;
  const { labels = {}, settings = {} } = tests[0] ?? {};
  return {
    number,
    name: variables.map((key) => `${key}=${settingText(labels[key] ?? null)}`).join(', '),
    reference: referenceOf(tests, rules).name,
    labels: seriesLabels(labels),
    settings,
    tests: tests.map(({ testId: id, location }) => ({ id, location })),
    historyTests: chosen.tests.length,
    order: chosen.order,
    kpis: kpis.map((kpi) => explained(kpi, { labels, chosen }, rules)),
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
    history: kpi.history.map(({ testIds: [first] }) => labelsOf.get(first) ?? {}),
    newest: labels,
    compared: comparison.comparisonKeys,
  });
  return explanation === undefined ? kpi : { ...kpi, explanation, notes: [explanation, ...kpi.notes] };
}

function kpiCase(
  definition: KpiDefinition,
  { tests, chosen }: Entry,
  { open = [], isCompat, comparison }: AnalysisRules,
): KpiCase {
  const own = tests.flatMap(({ values }) => values.filter((it) => it.definition.name === definition.name));
  const measured = own.flatMap(({ value, at }) => (typeof value === 'number' ? [{ value, at }] : []));
  const problems = own.flatMap(({ value, problem }) =>
    value === null ? [problem ?? 'It has no value.'] : [],
  );
  const known: NamedRepeat[] = [];
  const without: string[] = [];
  for (const { name, record } of chosen.tests) {
    const value = record.values.get(definition.name);
    if (value === null || value === undefined) without.push(name);
    else known.push({ name, at: record.at, value, testId: record.testId });
  }
  const gaps =
    without.length === 0
      ? []
      : [`${without.length} tests of the history have no value: ${shortList(without)}.`];
  const held = holdHistory(definition.name, known, isCompat ? [] : open);
  // The original takes each test as it is.
  const isByVersion = isCompat || comparison.comparisonKeys.length > 0;
  const units = unitsToCompare(held.known, measured, { isByVersion });
  return {
    ...{ definition, values: measured.map(({ value }) => value) },
    ...{ newest: units.newest, history: units.history },
    notes: [...problems, ...gaps, ...held.notes, ...units.notes],
  };
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

/** A recorded change for the worse that is not accepted: values after it are not a reference. */
export interface OpenRegression {
  readonly id: string;
  readonly kpi: string;
  /** The test at which it begins. */
  readonly testId: string;
}

interface HeldHistory {
  readonly known: readonly NamedRepeat[];
  readonly notes: readonly string[];
}

/**
 * The history that a KPI may be compared with: it ends before the first regression that is still open, so that a bad level
 * is not learned by waiting. Where that is all there is, it stays whole.
 */
function holdHistory(
  kpi: string,
  known: readonly NamedRepeat[],
  open: readonly OpenRegression[],
): HeldHistory {
  const begins = new Map(open.filter((one) => one.kpi === kpi).map(({ testId, id }) => [testId, id]));
  const first = begins.size === 0 ? undefined : known.find(({ testId }) => begins.has(testId));
  const place = first ? known.findIndex(({ name }) => name === first.name) : -1;
  if (!first || place <= 0) return { known, notes: [] };
  const id = begins.get(first.testId) ?? '';
  const note = `The reference ends before ${first.name}: an open regression begins there (${id}). To accept it: nightmark changes triage ${id} --state expected`;
  return { known: known.slice(0, place), notes: [note] };
}
