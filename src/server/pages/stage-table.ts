import type { StageResult } from '../../core/model/run.ts';
import { type Html, html } from '../../core/text/html.ts';
import { formatDuration } from '../../core/text/numbers.ts';
import { minute } from '../parts/moment.ts';
import { exitOf, logAddress, stateOf } from '../parts/state.ts';

/** The stages of one trial in the order in which they ended, each with the way to its log. */
export function stageTable(runId: string, stages: readonly StageResult[]): Html {
  if (stages.length === 0) return html`<p class="quiet">No stage has ended.</p>`;
  return html`<div class="scroll"><table class="stages">
<thead><tr><th>stage</th><th>state</th><th class="number">took</th><th>begun</th><th>message</th></tr></thead>
<tbody>${stages.map(
    (stage) =>
      html`<tr><th scope="row">${stage.log === undefined ? stage.stage : html`<a href="${logAddress(runId, stage)}">${stage.stage}</a>`}</th><td>${stateOf(stage.success ? 'succeeded' : 'failed')}${stage.attempts > 1 && html`<br><span class="quiet">${stage.attempts} attempts</span>`}</td><td class="number">${formatDuration(stage.durationMs)}</td><td>${minute(stage.startedAt)}</td><td class="message">${stage.message}${exitOf(stage) !== '' && html` <span class="quiet">${exitOf(stage)}</span>`}</td></tr>`,
  )}</tbody></table></div>`;
}
