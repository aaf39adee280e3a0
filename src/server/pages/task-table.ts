import type { Trial } from '../../core/model/run.ts';
import { type Html, html, segment } from '../../core/text/html.ts';
import { formatDuration } from '../../core/text/numbers.ts';
import { shortened, stateOf } from '../parts/state.ts';

/** Trials of one run, one a row; details are on the page of the run. */
export function taskTable(trials: readonly Trial[]): Html {
  return html`<div class="scroll"><table>
<thead><tr><th>name</th><th>state</th><th class="number">took</th><th>message</th></tr></thead>
<tbody>${trials.map(
    ({ runId, task, state, durationMs, message }) =>
      html`<tr><th scope="row"><a href="/runs/${segment(runId)}">${task}</a></th><td>${stateOf(state)}</td><td class="number">${durationMs === undefined ? '~' : formatDuration(durationMs)}</td><td class="message">${shortened(message)}</td></tr>`,
  )}</tbody></table></div>`;
}
