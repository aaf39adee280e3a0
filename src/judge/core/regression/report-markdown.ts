import { codeSpan, plainMarkdown, tableCell } from '../../../platform/core/text/markdown.ts';
import type { EntryAnalysis, KpiAnalysis, RegressionAnalysis } from './analysis.ts';
import { summarizeAnalysis } from './regression-summary.ts';
import {
  changeText,
  entryTitle,
  headline,
  IS_CHANGE,
  levelText,
  reasonText,
  stateText,
  valueText,
} from './report-text.ts';

/** More rows than these nobody reads in a pull request. */
const MAX_ROWS = 60;

/** For a comment on a pull request: the verdict, what changed, then everything else folded away. */
export function analysisMarkdown(analysis: RegressionAnalysis): string {
  const rows = analysis.entries.flatMap((entry) => entry.kpis.map((kpi) => ({ entry, kpi })));
  const isWorse = ({ kpi }: (typeof rows)[number]) => (kpi.state === 'regression' ? 0 : 1);
  const isNews = ({ kpi }: (typeof rows)[number]) => IS_CHANGE.has(kpi.state) || kpi.likely !== undefined;
  const news = rows.filter(isNews).sort((a, b) => isWorse(a) - isWorse(b));
  const rest = rows.filter((row) => !isNews(row));
  const { significant_performance_decrease: worse } = summarizeAnalysis(analysis);
  const notes = [...analysis.warnings, ...leftOutNotes(analysis)];
  return [
    `## ${worse > 0 ? 'Regression' : 'No regression'}`,
    headline(analysis),
    ...(news.length > 0 ? [table(news)] : []),
    ...(rest.length > 0
      ? [`<details><summary>${rest.length} without a change</summary>`, table(rest), '</details>']
      : []),
    ...(notes.length > 0 ? [notes.map((note) => `- ${plainMarkdown(note)}`).join('\n')] : []),
    '',
  ].join('\n\n');
}

/** What was not judged; one sentence each. */
export function leftOutNotes({ left }: RegressionAnalysis): readonly string[] {
  const lists: readonly (readonly [readonly string[], string])[] = [
    [left.entries, 'Not judged, by ignored-entries of the workload'],
    [left.ignoredKpis, 'KPIs that are never judged'],
    [left.listKpis, 'KPIs that are lists, and not judged'],
    [left.filteredKpis, 'KPIs that were not requested'],
  ];
  return lists
    .filter(([names]) => names.length > 0)
    .map(([names, words]) => {
      const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
      return `${words} (${names.length}): ${names.slice(0, 10).join(', ')}${more}.`;
    });
}

function table(rows: readonly { readonly entry: EntryAnalysis; readonly kpi: KpiAnalysis }[]): string {
  const lines = rows.slice(0, MAX_ROWS).map(({ entry, kpi }) => {
    const cells = [
      stateText(kpi),
      codeSpan(entryTitle(entry)),
      codeSpan(kpi.definition.name),
      plainMarkdown(valueText(kpi)),
      plainMarkdown(levelText(kpi)),
      plainMarkdown(changeText(kpi)),
      plainMarkdown(reasonText(kpi)),
    ];
    return `| ${cells.map(tableCell).join(' | ')} |`;
  });
  const more = rows.length > MAX_ROWS ? `\n\nand ${rows.length - MAX_ROWS} more` : '';
  return `| | entry | KPI | value | level | change | |\n|---|---|---|--:|--:|--:|---|\n${lines.join('\n')}${more}`;
}
