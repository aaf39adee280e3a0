import { csvCell } from '../../../platform/core/text/csv.ts';
import { codeSpan, plainMarkdown, tableCell } from '../../../platform/core/text/markdown.ts';
import { formatNumber, plainly } from '../../../platform/core/text/numbers.ts';
import { answerText, rowEffectText } from './compare-text.ts';
import { type ComparedRow, hiddenUndecided, isNotable, type RowCounts } from './compared-row.ts';

export interface MarkdownInput {
  readonly base: string;
  readonly head: string;
  readonly rows: readonly ComparedRow[];
  readonly counts: RowCounts;
  readonly details: number;
  readonly notes: readonly string[];
}

/** A comment has room for so many; the rest is counted. */
const MOST_ROWS = 50;

/** The comparison as a comment of a pull request: the answer, then what differs. */
export function compareMarkdown({ base, head, rows, counts, details, notes }: MarkdownInput): string {
  const notable = rows.filter(isNotable);
  const shown = notable.slice(0, MOST_ROWS);
  const hidden = [
    ...(notable.length > shown.length ? [`${notable.length - shown.length} more that differ`] : []),
    ...(counts.same > 0 ? [`${counts.same} the same`] : []),
    ...(hiddenUndecided(counts) > 0 ? [`${hiddenUndecided(counts)} undecided`] : []),
    ...(details > 0 ? [`${details} spreads and counts`] : []),
  ];
  const parts = [
    `### ${plainMarkdown(`${answerText(counts)}`)}\n\n${codeSpan(base)} .. ${codeSpan(head)}`,
    ...(shown.length > 0 ? [[...TABLE_HEAD, ...shown.map(tableLine)].join('\n')] : []),
    ...(hidden.length > 0 ? [`Not shown: ${hidden.join(', ')}.`] : []),
    ...notes.map((note) => `> ${plainMarkdown(note)}`),
  ];
  return plainly(`${parts.join('\n\n')}\n`);
}

const TABLE_HEAD = ['| verdict | value | change | base | head |', '|---|---|---|---:|---:|'];

function tableLine(row: ComparedRow): string {
  const name = codeSpan([row.experiment, ...row.path].join('/'));
  const value = (side: ComparedRow['base']) => (side ? formatNumber(side.value, row.unit) : '');
  const sign = row.likely ? `~ likely ${row.likely}` : SIGNS[row.verdict];
  const cells = [sign, name, rowEffectText(row), value(row.base), value(row.head)];
  return `| ${cells.map((cell, place) => tableCell(place === 1 ? cell : plainMarkdown(cell))).join(' | ')} |`;
}

const SIGNS: Readonly<Record<ComparedRow['verdict'], string>> = {
  failed: '✕ failed',
  slower: '▲ slower',
  faster: '▼ faster',
  changed: '◆ changed',
  same: 'same',
  undecided: '~ undecided',
  gone: '− only in base',
  new: '+ only in head',
};

const HEAD =
  'experiment,path,unit,better,verdict,base,base_runs,head,head_runs,difference,low,high,change,change_low,change_high,p,adjusted_p,basis,likely,estimand';

/** One line for each series; empty where something is unknown. Names of a path are joined by "/". */
export function compareCsv(rows: readonly ComparedRow[]): string {
  return `${[HEAD, ...rows.map(csvLine)].join('\n')}\n`;
}

function csvLine(row: ComparedRow): string {
  const { experiment, path, unit, better, verdict, base, head, shift, change, p, adjustedP, basis } = row;
  const { likely, estimand } = row;
  const { relative } = shift ?? {};
  const cells = [
    ...[experiment, path.join('/'), unit, better, verdict],
    ...[base?.value, base?.runs, head?.value, head?.runs],
    ...[shift?.difference, shift?.low, shift?.high, change, relative?.low, relative?.high, p, adjustedP],
    ...[basis.kind === 'past' ? `past ${basis.runs}` : basis.kind, likely, estimand],
  ];
  return cells.map((cell) => csvCell(String(cell ?? ''))).join(',');
}
