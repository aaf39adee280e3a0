import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { type CauseRow, causeRows, leftOutText } from './cause-rows.ts';
import type { Explanation, SourceChange } from './explanation.ts';
import { sourceText } from './explanation-sentence.ts';
import { shortText } from './fact-text.ts';

export const CAUTION = 'What changed together need not be the cause.';

/** For a terminal: the sentence, a table of what changed, the commits, and what is not told by it. */
export function describeExplanation(explanation: Explanation): readonly string[] {
  const { sentence, causes, sources, notes } = explanation;
  const left = leftOutText(causes);
  return [
    sentence,
    ...(causes.length === 0 ? [] : ['', ...table(causeRows(causes))]),
    ...(left === undefined ? [] : [`  ${left}`]),
    ...sources.flatMap(sourceLines),
    '',
    ...restLines(explanation),
    ...notes.map(visible),
  ];
}

/** What did not change, what is not known, and how far all of it can be believed. */
export function restLines({ causes, unchanged, unknown, points }: Explanation): readonly string[] {
  const seen = `${counted(unchanged, 'recorded fact')} did not change there`;
  const missing = unknown === 0 ? '' : `; ${counted(unknown, 'fact')} known on one side only`;
  return [
    plainly(`${seen}${missing}. Looked at ${counted(points, 'point')}.`),
    ...(causes.length === 0 ? [] : [CAUTION]),
  ];
}

/** "d4e5f67  2026-01-05  Ada  Make it fast". */
export function commitDay(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '?' : date.toISOString().slice(0, 10);
}

/** How many commits are not in the list; 0 where all are. */
export function commitsLeftOut({ between }: SourceChange): number {
  if (between === undefined) return 0;
  return (between.added === 0 ? between.removed : between.added) - between.commits.length;
}

function sourceLines(source: SourceChange): readonly string[] {
  const { between } = source;
  if (between === undefined) return [];
  const rows = between.commits.map((commit) => [
    commit.hash.slice(0, 12),
    commitDay(commit.at),
    shortText(commit.author, 24),
    shortText(commit.subject),
  ]);
  const left = commitsLeftOut(source);
  return [
    '',
    `${sourceText(source)}:`,
    ...aligned(rows),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...(between.link === undefined ? [] : [`  ${visible(between.link)}`]),
  ];
}

function table(rows: readonly CauseRow[]): readonly string[] {
  const head = ['', 'what', 'before', 'after', 'fit'];
  return aligned([
    head,
    ...rows.map(({ rank, name, before, after, fit }) => [rank, name, before, after, fit]),
  ]);
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, [...(row[column] ?? '')].length), 0),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length));
    return `  ${cells.join('  ')}`.trimEnd();
  });
}
