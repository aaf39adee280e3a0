import type { ChangeView } from '../../app/changes/read-changes.ts';
import { certaintyText } from '../../core/changes/change-text.ts';
import type { FollowedChange } from '../../core/model/change-ledger.ts';
import { type Content, type Html, html, segment } from '../../core/text/html.ts';
import { counted, formatChange, formatNumber } from '../../core/text/numbers.ts';
import { absenceOf, fromTo, seriesLink, whyOf } from '../parts/change.ts';
import { minute } from '../parts/moment.ts';
import { shiftOf } from '../parts/quantity.ts';
import { shortened } from '../parts/state.ts';

/** Above the table, which is to stay in sight. */
const MAX_ABSENCES = 20;

/** Changes of all series, newest first, with what people said about them. */
export function changesPage(view: ChangeView): Content {
  const { changes, openRegressions, openMachineEvents, openUnknown, hidden, absences, isOpenOnly } = view;
  const notShown = hidden.withdrawn + hidden.state;
  return html`<h1>${openRegressions === 0 ? 'No open regression' : counted(openRegressions, 'open regression')}${openMachineEvents > 0 && `, ${counted(openMachineEvents, 'open event')} of a machine`}${openUnknown > 0 && `, ${counted(openUnknown, 'open change')} of unknown direction`}</h1>
<p class="quiet">${isOpenOnly ? html`Open changes. <a href="/changes">All changes</a>` : html`All changes. <a href="/changes?open=1">Open ones only</a>`}${notShown > 0 && html`. Not shown: ${notShownText(hidden)}`}. Your word on one: <code>nightmark changes triage ID --state expected</code></p>
${absences.length > 0 && html`<h2>Stopped coming</h2><ul class="attention">${absences.slice(0, MAX_ABSENCES).map((absence) => html`<li>${absenceOf(absence)}</li>`)}</ul>${absences.length > MAX_ABSENCES && html`<p class="quiet">and ${counted(absences.length - MAX_ABSENCES, 'more', 'more')}: <a href="/api/changes">JSON</a></p>`}`}
${changes.length === 0 ? html`<p class="calm">There is nothing to show. Changes appear here when a night or an import brought values that left their level.</p>` : html`${table(changes)}${turner(view)}`}`;
}

/** Nothing where there is one page. */
function turner({ page, pages, isOpenOnly }: ChangeView): Content {
  if (pages < 2) return false;
  const to = (number: number) => `/changes?${isOpenOnly ? 'open=1&' : ''}page=${number}`;
  return html`<p>${page > 1 && html`<a href="${to(page - 1)}" rel="prev">Newer changes</a> · `}page ${page} of ${pages}${page < pages && html` · <a href="${to(page + 1)}" rel="next">Older changes</a>`}</p>`;
}

function notShownText({ withdrawn, state }: ChangeView['hidden']): string {
  return [
    ...(withdrawn > 0 ? [`${withdrawn} withdrawn`] : []),
    ...(state > 0 ? [`${state} not open`] : []),
  ].join(', ');
}

function table(changes: readonly FollowedChange[]): Html {
  return html`<div class="scroll"><table>
<thead><tr><th>change</th><th>since</th><th>series</th><th>interval</th><th>levels</th><th class="number">certainty</th><th>state</th><th>id</th></tr></thead>
<tbody>${changes.map(row)}</tbody></table></div>`;
}

function row(change: FollowedChange): Html {
  const { id, at, runId, series, shift, unit, p, state, isProvisional, note, author, moved } = change;
  const interval = shift.relative
    ? `${bareChange(shift.relative.low)} to ${formatChange(shift.relative.high)}`
    : `${formatNumber(shift.low, unit)} to ${formatNumber(shift.high, unit)}`;
  const since =
    series.kind !== 'kpi' ? html`<a href="/runs/${segment(runId)}">${minute(at)}</a>` : minute(at);
  const said = note !== undefined || author !== undefined;
  return html`<tr><td>${shiftOf(change)}</td><td>${since}</td><th scope="row">${seriesLink(series)}${whyOf(change)}</th><td class="interval">${interval}</td><td>${moved === undefined ? fromTo(change) : `${moved} measurements moved together`}</td><td class="number">${certaintyText(p)}</td><td>${state}${isProvisional && ', provisional'}${said && html`<br><span class="quiet">${author}${author !== undefined && note !== undefined && ': '}${note !== undefined && shortened(note, 120)}</span>`}</td><td><code>${id}</code></td></tr>`;
}

/** Without the sign of percent, which the other end of the interval has. */
function bareChange(value: number): string {
  return formatChange(value).replace(/.%$/u, '');
}
