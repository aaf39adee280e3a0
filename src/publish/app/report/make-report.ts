import type { Chart } from '../../../charts/core/chart.ts';
import { chartSvg } from '../../../charts/core/chart-svg.ts';
import { reportPage } from '../../../charts/core/report-page.ts';
import { shortText } from '../../../judge/core/explain/explanation-text.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import { segments } from '../../../platform/core/text/html.ts';
import type { ReportDocument } from '../../core/report/report-document.ts';
import { type FigureLinks, reportMarkdown } from '../../core/report/report-markdown.ts';
import { changeReport } from './change-report.ts';
import { changesReport } from './changes-report.ts';
import { compareReport } from './compare-report.ts';
import { nightReport } from './night-report.ts';
import { noResults, type ReportRequest, type ReportSources, type ReportSubject } from './report-request.ts';

export interface MadeReport {
  readonly title: string;
  readonly text: string;
  /** Its charts as files, where requested. */
  readonly figures: readonly Figure[];
  /** What could not be drawn, one sentence each; the report says so in its place. */
  readonly failures: readonly string[];
}

export interface Figure {
  /** Without an ending. */
  readonly name: string;
  readonly title: string;
  /** In light colours, for a file or a picture of it. */
  readonly svg: string;
}

/** A night, a comparison or changes as one file to pass around. The same results give the same bytes. */
export async function makeReport(request: ReportRequest, sources: ReportSources): Promise<MadeReport> {
  const { home, subject, format } = request;
  await refuseEmpty(home, sources);
  const document = await describe(subject, home, sources);
  const { figures, places, failures } = request.figures ? drawFigures(document) : NO_FIGURES;
  const title = shortText(document.title, 200);
  const made = { title, figures };
  const links = places.map((name) =>
    name === undefined ? undefined : linksOf(request.figures?.folder ?? '', name),
  );
  if (format === 'markdown') return { ...made, text: reportMarkdown(document, links), failures };
  const { page, failures: notDrawn } = reportPage(document.title, document.parts, []);
  return { ...made, text: page, failures: [...new Set([...failures, ...notDrawn])] };
}

/** Tests of a matrix bring changes without any run. */
async function refuseEmpty(home: string, { store }: ReportSources): Promise<void> {
  if ((await store.countRuns()) > 0 || (await store.changes({ limit: 1 })).length > 0) return;
  throw noResults(home);
}

function describe(subject: ReportSubject, home: string, sources: ReportSources): Promise<ReportDocument> {
  switch (subject.kind) {
    case 'run':
      return nightReport({ home, query: subject.run }, sources);
    case 'compare':
      return compareReport({ home, ...subject }, sources);
    case 'changes':
      return changesReport(sources);
    case 'change':
      return changeReport({ home, id: subject.id }, sources);
  }
}

interface DrawnFigures {
  readonly figures: readonly Figure[];
  /** Names, for each chart of the report; undefined: it could not be drawn. */
  readonly places: readonly (string | undefined)[];
  readonly failures: readonly string[];
}

const NO_FIGURES: DrawnFigures = { figures: [], places: [], failures: [] };

function drawFigures({ parts }: ReportDocument): DrawnFigures {
  const figures: Figure[] = [];
  const places: (string | undefined)[] = [];
  const failures: string[] = [];
  for (const part of parts) {
    if (part.type !== 'chart' || part.chart.type === 'table') continue;
    const number = places.length + 1;
    try {
      const figure = figureOf(part.chart, number);
      figures.push(figure);
      places.push(figure.name);
    } catch (error) {
      places.push(undefined);
      failures.push(`figure ${number} could not be drawn: ${messageOf(error)}`);
    }
  }
  return { figures, places, failures };
}

function figureOf(chart: Chart, number: number): Figure {
  return {
    name: `figure-${String(number).padStart(2, '0')}`,
    title: chart.title,
    svg: chartSvg(chart, { theme: 'light', width: 900, height: 420 }),
  };
}

function linksOf(folder: string, name: string): FigureLinks {
  const place = folder === '' ? '' : `${segments(folder)}/`;
  return { png: `${place}${name}.png`, svg: `${place}${name}.svg` };
}
