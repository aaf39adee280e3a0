import { plainPage } from '../../../charts/core/report-page.ts';
import type { ChartPlot } from '../../../formats/core/kpi/workload.ts';
import { html, segments } from '../../../platform/core/text/html.ts';

/** The result of a requested report or figure. */
export interface Drawn {
  readonly plot: string;
  /** Relative to the folder of the index; the first one is linked. */
  readonly files: readonly string[];
  readonly problems: readonly string[];
}

export interface ReportIndex {
  readonly title: string;
  readonly drawn: readonly Drawn[];
  /** Indexes of further folders: one for each filter. */
  readonly folders: readonly { readonly name: string; readonly index: string }[];
}

/** reports_index.html: everything that was drawn, and what failed. */
export function indexPage({ title, drawn, folders }: ReportIndex): string {
  return plainPage(
    title,
    html`<h1>${title}</h1>
<ul>${drawn.map(
      ({ plot, files, problems }) =>
        html`<li>${
          files[0] === undefined ? plot : html`<a href="${segments(files[0])}">${plot}</a>`
        }${files.slice(1).map((file) => html` <a href="${segments(file)}">${endingOf(file)}</a>`)}${problems.map(
          (problem) => html`<br>FAILED: ${problem}`,
        )}</li>\n`,
    )}</ul>
${
  folders.length > 0 &&
  html`<h2>With filters</h2><ul>${folders.map(
    ({ name, index }) => html`<li><a href="${segments(index)}">${name}</a></li>\n`,
  )}</ul>`
}`,
  );
}

function endingOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1);
}

/** report_00_kpi_table or fig_03_lines: number of the plot in its query, and its id. */
export function plotFileName({ id, isReport }: ChartPlot, index: number): string {
  return `${isReport ? 'report' : 'fig'}_${String(index).padStart(2, '0')}_${safeName(id)}`;
}

/** The folder of a filter, made safe as a name. */
export function filterFolder(filter: string): string {
  return safeName(filter);
}

/** Names from files and modules of users become file names. */
function safeName(text: string): string {
  const safe = text.replace(/[^\w=.,:@+-]/g, '_').slice(0, 150);
  return /^\.*$/.test(safe) ? `_${safe}` : safe;
}
