import { drawingOf } from '../charts/chart-svg.ts';
import { label, px } from '../charts/drawing.ts';
import { themeOf } from '../charts/theme.ts';
import { messageOf } from '../errors.ts';
import type { Chart, PlotPart } from '../model/chart.ts';
import { type Html, html } from '../text/html.ts';
import { visible } from '../text/visible.ts';
import { type Block, fillPages, PAPER } from './paper.ts';
import { tableBlocks } from './paper-table.ts';
import { paragraph, space } from './paper-text.ts';
import type { ReportDocument } from './report-document.ts';

const LIGHT = themeOf('light');
const TEXT = { size: 9, fill: LIGHT.ink };
const LINK = { size: 9, fill: LIGHT.series[0] ?? LIGHT.ink };
const SIZES = { 1: 17, 2: 12.5, 3: 10.5 } as const;
const CHART = { theme: 'light', width: 900, height: 360 } as const;

/** The report as drawings of A4 pages, each an SVG of its own. */
export function paperPages({ title, parts }: ReportDocument): readonly string[] {
  const pages = fillPages(parts.flatMap(blocksOf));
  return pages.map((marks, index) => pageSvg(marks, `${index + 1} of ${pages.length}`, title));
}

function pageSvg(marks: readonly Html[], number: string, title: string): string {
  const { width, height, left, right } = PAPER;
  const foot = { size: 7.5, fill: LIGHT.muted };
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${LIGHT.font}"><rect width="${width}" height="${height}" fill="${LIGHT.ground}"/>${marks}${label(
    visible(title),
    { at: [left, height - 22], ...foot, room: right - left - 60 },
  )}${label(number, { at: [right, height - 22], ...foot, anchor: 'end' })}</svg>`.toString();
}

function blocksOf(part: PlotPart): readonly Block[] {
  switch (part.type) {
    case 'heading': {
      const size = SIZES[part.level];
      const [first, ...rest] = paragraph(part.text, { size, fill: LIGHT.ink, isBold: true });
      const lead = part.level === 1 ? [] : [space(size * 0.8)];
      return first ? [...lead, { ...first, keep: 70 }, ...rest] : [];
    }
    case 'text':
      return paragraph(part.text, TEXT);
    case 'links':
      return part.links.flatMap(({ text, url }) => paragraph(text, LINK, url));
    case 'chart':
      return part.chart.type === 'table' ? tableBlocks(part.chart) : chartBlocks(part.chart);
  }
}

/** The chart as wide as the text; one that is higher than a page is made smaller. */
function chartBlocks(chart: Chart): readonly Block[] {
  try {
    const { width, height, body } = drawingOf(chart, CHART, false);
    const room = PAPER.right - PAPER.left;
    const scale = Math.min(room / width, (PAPER.bottom - PAPER.top - 20) / height);
    return [
      {
        height: height * scale + 10,
        draw: (top) =>
          html`<g transform="translate(${px(PAPER.left)} ${px(top)}) scale(${scale.toFixed(5)})">${body}</g>`,
      },
    ];
  } catch (error) {
    return paragraph(`A figure could not be drawn: ${messageOf(error)}`, TEXT);
  }
}
