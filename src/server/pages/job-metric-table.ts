import type { JobMetric } from '../../core/model/job.ts';
import { type Html, html } from '../../core/text/html.ts';
import { formatNumber } from '../../core/text/numbers.ts';

/** The newest, smallest and largest value of each field of each metric. */
export function jobMetricTable(metrics: readonly JobMetric[]): Html {
  const rows = metrics.flatMap(({ measurement, tags, fields }) =>
    Object.entries(fields).map(([field, { count, last, min, max }]) => {
      const tagText = Object.entries(tags).map(([key, value]) => `${key}=${String(value)}`);
      return html`<tr><th scope="row">${measurement}${field !== 'value' && `.${field}`} <span class="quiet">${tagText.join(' ')}</span></th>${[last, min, max].map(cell)}<td class="number">${count}</td></tr>`;
    }),
  );
  return html`<div class="scroll"><table>
<thead><tr><th>metric</th><th class="number">newest</th><th class="number">smallest</th><th class="number">largest</th><th class="number">values</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function cell(value: number | string | boolean | undefined): Html {
  const text = typeof value === 'number' ? formatNumber(value) : String(value ?? '');
  return html`<td class="number" title="${String(value ?? '')}">${text}</td>`;
}
