import type { KpiAnalysis, RegressionAnalysis } from '../../judge/core/regression/analysis.ts';
import { leftOutNotes } from '../../judge/core/regression/report-markdown.ts';
import {
  changeText,
  entryTitle,
  headline,
  IS_CHANGE,
  IS_UNJUDGED,
  levelText,
  reasonText,
  stateText,
  valueText,
} from '../../judge/core/regression/report-text.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { AnalyzedResults } from '../app/analyze-results.ts';

/** The verdict, then changes, then KPIs that could not be compared, then the rest. */
export function analysisText(analysis: RegressionAnalysis): string {
  const rows = analysis.entries.flatMap((entry) =>
    entry.kpis.map((kpi) => ({ rank: rankOf(kpi), cells: cellsOf(entryTitle(entry), kpi) })),
  );
  const sorted = rows.sort((a, b) => a.rank - b.rank).map(({ cells }) => cells.map(visible));
  const widths = sorted[0]?.map((_, at) => Math.max(...sorted.map((cells) => cells[at]?.length ?? 0))) ?? [];
  const lines = sorted.map((cells) =>
    cells
      .map((cell, at) => (RIGHT.has(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [headline(analysis), ...lines, ''].join('\n');
}

/** Columns of numbers. */
const RIGHT = new Set([3, 4]);

function cellsOf(entry: string, kpi: KpiAnalysis): readonly string[] {
  const level = levelText(kpi);
  return [
    stateText(kpi),
    entry,
    kpi.definition.name,
    valueText(kpi),
    level === '' ? '' : `level ${level}`,
    changeText(kpi),
    reasonText(kpi),
  ];
}

function rankOf({ state, likely, heldBack }: KpiAnalysis): number {
  if (state === 'regression') return 0;
  if (IS_CHANGE.has(state)) return 1;
  if (likely !== undefined) return 2;
  if (heldBack !== undefined) return 3;
  return IS_UNJUDGED.has(state) ? 4 : 5;
}

const MAX_REFUSED = 20;
const MAX_NOTES = 80;

/** For standard error: warnings about the data, and what was left out. */
export function analysisNotes({ analysis, refused, repeated }: AnalyzedResults): string {
  const more = refused.length - MAX_REFUSED;
  const lines = [
    ...refused.slice(0, MAX_REFUSED).map(({ source, reason }) => `${source}: ${reason}`),
    ...(more > 0 ? [`and ${more} more documents of the history that are not payloads`] : []),
    ...(repeated > 0
      ? [`${counted(repeated, 'test')} of the history came more than once, and counts once`]
      : []),
    ...analysis.warnings.map((warning) => `warning: ${warning}`),
    ...leftOutNotes(analysis),
    ...analysis.entries.flatMap((entry) => [
      ...entry.notes.map((note) => `${entryTitle(entry)}: ${note}`),
      ...entry.kpis.flatMap((kpi) =>
        kpi.notes.map((note) => `${entryTitle(entry)}, ${kpi.definition.name}: ${note}`),
      ),
    ]),
  ];
  const rest = lines.length - MAX_NOTES;
  const shown = lines.slice(0, MAX_NOTES).map((line) => `${visible(line)}\n`);
  return `${shown.join('')}${rest > 0 ? `and ${rest} more notes: --json has them all\n` : ''}`;
}
