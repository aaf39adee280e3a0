import type { Chart, LineChart, PlotPart, TableCell, TableChart } from '../../../charts/core/chart.ts';
import { sparkText } from '../../../charts/core/table-html.ts';
import { plainMarkdown, tableCell } from '../../../platform/core/text/markdown.ts';
import { plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { ReportDocument } from './report-document.ts';

/** Files of one chart, as addresses relative to the report. */
export interface FigureLinks {
  readonly png: string;
  readonly svg: string;
}

/** The report as Markdown. `figures` are those of its charts in their order; a chart without one is named only. */
export function reportMarkdown(
  { parts }: ReportDocument,
  figures: readonly (FigureLinks | undefined)[],
): string {
  let charts = 0;
  const texts = parts.map((part) => {
    const figure = part.type === 'chart' && part.chart.type !== 'table' ? figures[charts++] : undefined;
    return partMarkdown(part, figure);
  });
  return plainly(`${texts.filter((text) => text !== '').join('\n\n')}\n`);
}

function partMarkdown(part: PlotPart, figure: FigureLinks | undefined): string {
  switch (part.type) {
    case 'heading':
      return `${'#'.repeat(part.level)} ${plain(part.text)}`;
    case 'text':
      return plain(part.text);
    case 'links':
      return part.links.map(({ text, url }) => `- ${linked(plain(text), url)}`).join('\n');
    case 'chart':
      return part.chart.type === 'table' ? tableMarkdown(part.chart) : figureMarkdown(part.chart, figure);
  }
}

function tableMarkdown({ title, subtitle, columns, rows, notes = [] }: TableChart): string {
  const lines = [
    `| ${columns.map(({ name }) => tableCell(plain(name)) || ' ').join(' | ')} |`,
    `|${columns.map(({ align }) => (align === 'right' ? '---:' : '---')).join('|')}|`,
    ...rows.map((row) => `| ${columns.map((_, index) => cellMarkdown(row[index])).join(' | ')} |`),
  ];
  return [
    ...(title === '' ? [] : [`**${plain(title)}**`]),
    ...(subtitle === undefined ? [] : [plain(subtitle)]),
    lines.join('\n'),
    ...notes.map(plain),
  ].join('\n\n');
}

function cellMarkdown(cell: TableCell | undefined): string {
  if (!cell) return ' ';
  const text = linked(plain(cell.text), cell.link);
  return tableCell(
    [text, ...(cell.spark ? [sparkText(cell.spark)] : [])].filter((one) => one !== '').join(' '),
  );
}

function figureMarkdown(chart: Chart, figure: FigureLinks | undefined): string {
  const { title, notes = [] } = chart;
  if (!figure) return chart.type === 'lines' ? lineText(chart) : '';
  return [`[![${plain(title)}](${figure.png})](${figure.svg})`, ...notes.map(plain)].join('\n\n');
}

const LETTERS = 60;

/** Without files: the last values as a line of characters. */
function lineText({ title, series: [first] }: LineChart): string {
  const values = (first?.y ?? []).slice(-LETTERS);
  return `${plain(title)}: ${sparkText(values)}`;
}

/** Links come from results: nothing but a web address is followed. */
function linked(text: string, url: string | undefined): string {
  if (url === undefined || !/^https?:\/\/[^\s<>()"'`\\]+$/i.test(url)) return text;
  return `[${text}](${url})`;
}

function plain(text: string): string {
  return plainMarkdown(visible(text));
}
