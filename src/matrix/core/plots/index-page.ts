import { plainPage } from '../../../charts/core/report-page.ts';
import { html, segments } from '../../../platform/core/text/html.ts';

/** A report or a figure that was asked for: what became of it. */
export interface Drawn {
  readonly plot: string;
  /** Relative to the folder of the index; the first is what a reader opens. */
  readonly files: readonly string[];
  readonly problems: readonly string[];
}

export interface ReportIndex {
  readonly title: string;
  readonly drawn: readonly Drawn[];
  /** Indexes of further folders: one for each filter. */
  readonly folders: readonly { readonly name: string; readonly index: string }[];
}

/** reports_index.html: everything that was drawn, and what could not be. */
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
