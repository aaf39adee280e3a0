import { type Html, html } from '../../platform/core/text/html.ts';
import type { TableCell, TableChart } from './chart.ts';
import { sparkSvg } from './spark.ts';

/** A table for a page: text can be selected and searched, links work, and a reader's program can read it aloud. */
export function tableHtml({ title, subtitle, notes = [], columns, rows }: TableChart): Html {
  return html`<figure class="nm-table">${title !== '' && html`<figcaption>${title}</figcaption>`}${
    subtitle !== undefined && html`<p>${subtitle}</p>`
  }<div><table><thead><tr>${columns.map(
    ({ name, align }) => html`<th scope="col"${align === 'right' && RIGHT}>${name}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${columns.map(({ align }, index) => cellHtml(row[index] ?? { text: '' }, align === 'right'))}</tr>`,
  )}</tbody></table></div>${rows.length === 0 && html`<p>no data</p>`}${notes.map((note) => html`<p>${note}</p>`)}</figure>`;
}

const RIGHT = html` class="nm-right"`;

function cellHtml({ text, link, tone = 0, spark }: TableCell, isRight: boolean): Html {
  const shade = tone > 0 ? 'nm-better' : tone < 0 ? 'nm-worse' : '';
  const names = [isRight ? 'nm-right' : '', shade].filter((name) => name !== '').join(' ');
  // Links come from results: nothing but a web address is followed.
  const isWeb = link !== undefined && /^https?:\/\//i.test(link);
  const content = isWeb ? html`<a href="${link}" rel="noopener noreferrer">${text}</a>` : text;
  return html`<td${names !== '' && html` class="${names}"`}>${content}${spark && sparkSvg(spark)}</td>`;
}
