import { describeNight } from '../../app/count-trials.ts';
import type { RunList } from '../../app/list-runs.ts';
import { type Content, html, segment } from '../../core/text/html.ts';
import { counted } from '../../core/text/numbers.ts';
import { minute } from '../parts/moment.ts';
import { durationOf } from '../parts/night-strip.ts';
import { stateOf } from '../parts/state.ts';

/** Runs, newest first, a page at a time. */
export function runsPage({ runs, count, nextBefore }: RunList): Content {
  if (count === 0)
    return html`<h1>No run yet</h1><p>The first one begins with</p><pre class="command">nightmark run</pre>`;
  return html`<h1>${counted(count, 'run')}</h1>
<div class="scroll"><table>
<thead><tr><th>run</th><th>begun</th><th>state</th><th>outcome</th></tr></thead>
<tbody>${runs.map(
    (night) =>
      html`<tr><th scope="row"><a href="/runs/${segment(night.run.id)}">${night.run.label}</a> <span class="quiet">${night.run.kind}</span></th><td>${minute(night.run.startedAt)}</td><td>${stateOf(night.run.state)}</td><td>${describeNight(night.experiments, night.subsystems, durationOf(night))}${night.run.origin !== 'measured' && html` <span class="quiet">${night.run.origin} data</span>`}</td></tr>`,
  )}</tbody></table></div>
${nextBefore !== undefined && html`<p><a href="/runs?before=${nextBefore}">Older runs</a></p>`}`;
}
