import { visible } from '../../platform/core/text/visible.ts';
import type { DuetAnalysis, GroupAnalysis } from '../core/analysis/duet-analysis.ts';

/** A thousand comparisons still fit a screen; --json has them all. */
export const MAX_ROWS = 60;
const MAX_NOTES = 15;

/** Rows of equal width; the first row names the columns, of which those in `right` end at the same place. */
export function alignTable(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<string>,
): readonly string[] {
  const header = rows[0] ?? [];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return right.has(header[column] ?? '') ? cell.padStart(width) : cell.padEnd(width);
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

export function moreRows(count: number): readonly string[] {
  return count > MAX_ROWS ? [`  and ${count - MAX_ROWS} more: --json`] : [];
}

/** What was left out, then what weakens the comparisons; what is true of several is said once. */
export function analysisNotes(
  { notes, groups }: DuetAnalysis,
  name: (group: GroupAnalysis) => string,
): readonly string[] {
  const whose = new Map<string, GroupAnalysis[]>();
  for (const group of groups) {
    for (const note of group.judgement.notes) whose.set(note, [...(whose.get(note) ?? []), group]);
  }
  const about = [...whose].map(([note, about]) => {
    const [first] = about as [GroupAnalysis, ...GroupAnalysis[]];
    if (groups.length === 1) return visible(note);
    const names = about.length === 1 ? name(first) : `${name(first)} and ${about.length - 1} more`;
    return visible(`${names}: ${note}`);
  });
  const all = [...notes.map(visible), ...about];
  const rest = all.length - MAX_NOTES;
  return rest > 0 ? [...all.slice(0, MAX_NOTES), `${rest} more notes: --json`] : all;
}
