import { foldedText, settingsYaml } from '../../../platform/core/python/python-yaml.ts';
import type { KpiAnalysis, RegressionAnalysis } from './analysis.ts';

/** Counts under the names that the readers of the original's summary know. */
export interface RegressionSummary {
  /** KPIs of entries that were judged. */
  readonly total_points: number;
  readonly entries_count: number;
  readonly kpis_count: number;
  readonly failures: number;
  /** Entries without any history. */
  readonly no_history: number;
  /** KPIs that could not be judged, of entries with a history. */
  readonly not_analyzed: number;
  readonly significant_performance_increase: number;
  readonly significant_performance_decrease: number;
  readonly message: string;
}

/** Improvements are not failures, except for the original, whose counts and text `isCompat` keeps. */
export function summarizeAnalysis(analysis: RegressionAnalysis): RegressionSummary {
  const { entries, kpis, isCompat, variables } = analysis;
  const withHistory = entries.filter(({ historyTests }) => historyTests > 0);
  const judged = withHistory.flatMap((entry) => entry.kpis);
  const count = (...states: readonly KpiAnalysis['state'][]) =>
    judged.filter(({ state }) => states.includes(state)).length;
  const [increase, decrease] = [count('improvement'), count('regression')];
  const counts = {
    total_points: entries.length * kpis.length,
    entries_count: entries.length,
    // The original counts the column "name", which is there when nothing varies.
    kpis_count: kpis.length + (isCompat && variables.length === 0 ? 1 : 0),
    failures: isCompat ? increase + decrease : decrease,
    no_history: entries.length - withHistory.length,
    not_analyzed: count('no-value', 'no-history', 'too-few'),
    significant_performance_increase: increase,
    significant_performance_decrease: decrease,
  };
  return { ...counts, message: isCompat ? originalMessage(counts) : message(counts) };
}

/** The summary as the original writes it, keys sorted and the message folded: readers compare it as text. */
export function summaryYaml(analysis: RegressionAnalysis): string {
  const summary = summarizeAnalysis(analysis);
  return settingsYaml({ ...summary }, { message: foldedText(summary.message, 'message: '.length) });
}

type Counts = Omit<RegressionSummary, 'message'>;

function performed({ total_points, entries_count, kpis_count, failures }: Counts): string {
  return `Performed ${total_points} KPI regression analyses over ${entries_count} entries x ${kpis_count} KPIs. ${failures} KPIs didn't pass.`;
}

/** With its slip: the sentence on decreases has the number of increases. */
function originalMessage(counts: Counts): string {
  const { significant_performance_increase: increase, significant_performance_decrease: decrease } = counts;
  const worse = decrease > 0 ? ` ${increase} KPIs had a significant performance decrease. ` : '';
  const better = increase > 0 ? ` ${increase} KPIs had a significant performance increase. ` : '';
  return performed(counts) + worse + better;
}

function message(counts: Counts): string {
  const more: readonly (readonly [number, string])[] = [
    [counts.significant_performance_decrease, 'KPIs had a significant performance decrease.'],
    [counts.significant_performance_increase, 'KPIs had a significant performance increase.'],
    [counts.not_analyzed, 'KPIs could not be analyzed.'],
    [counts.no_history, 'entries had no history.'],
  ];
  const parts = more.filter(([number]) => number > 0).map(([number, text]) => `${number} ${text}`);
  return [performed(counts), ...parts].join(' ');
}
