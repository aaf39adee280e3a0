import { type Html, html } from '../../platform/core/text/html.ts';
import type { TableCell, TableChart } from './chart.ts';
import { px } from './drawing.ts';

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

interface Spark {
  /** Segments without gaps; one value alone is a short line. */
  readonly path: string;
  /** The newest value, if it is there. */
  readonly end?: readonly [x: number, y: number];
}

/** A small line of earlier values. */
function sparkPath(values: readonly (number | null)[]): Spark {
  const known = values.filter(isKnown);
  if (known.length === 0) return { path: '' };
  const low = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const x = (index: number) => EDGE + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE);
  const share = (value: number) => (high > low ? (value - low) / (high - low) : 0.5);
  const y = (value: number) => HEIGHT - EDGE - share(value) * (HEIGHT - 2 * EDGE);
  let path = '';
  let isOpen = false;
  for (const [index, value] of values.entries()) {
    if (isKnown(value)) {
      const next = values[index + 1];
      const isAlone = !isOpen && !isKnown(next);
      path += `${isOpen ? 'L' : 'M'}${px(x(index))} ${px(y(value))}${isAlone ? 'h1' : ''}`;
    }
    isOpen = isKnown(value);
  }
  const last = values.at(-1);
  return { path, ...(isKnown(last) && { end: [x(values.length - 1), y(last)] as const }) };
}

const [WIDTH, HEIGHT, EDGE] = [90, 20, 2];

/** For a page; its numbers stand beside it, so screen readers skip it. */
function sparkSvg(values: readonly (number | null)[]): Html {
  const { path, end } = sparkPath(values);
  if (path === '') return html``;
  return html`<svg width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"><path d="${path}" fill="none" stroke="var(--nm-s0)" stroke-width="1.4"/>${
    end && html`<path d="M${px(end[0] - 1.5)} ${px(end[1] - 1.5)}h3v3h-3z" fill="var(--nm-s1)"/>`
  }</svg>`;
}

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** The same where nothing can be drawn: "▁▂▁ ▅▇". */
export function sparkText(values: readonly (number | null)[]): string {
  const known = values.filter(isKnown);
  const low = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return values
    .map((value) => {
      if (!isKnown(value)) return ' ';
      const share = high > low ? (value - low) / (high - low) : 0;
      return BLOCKS[Math.min(BLOCKS.length - 1, Math.floor(share * BLOCKS.length))] ?? '';
    })
    .join('');
}

function isKnown(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
