import type { LogView } from '../../app/read-log.ts';
import { type Content, html, segment } from '../../core/text/html.ts';
import { formatDuration, formatNumber } from '../../core/text/numbers.ts';
import { exitOf, logAddress, stateOf } from '../parts/state.ts';

/** What a stage printed; of a large log the beginning and the end. */
export function logPage(view: LogView): Content {
  const { run, kind, task, stage, result, ends } = view;
  const whole = `${logAddress(run.id, view)}?whole=1`;
  return html`<h1>${task} <span class="quiet">${stage} stage of <a href="/runs/${segment(run.id)}">${run.label}</a></span></h1>
${result && html`<p>${stateOf(result.success ? 'succeeded' : 'failed')}${exitOf(result) !== '' && `, ${exitOf(result)}`}, took ${formatDuration(result.durationMs)}</p>`}
${!result && html`<p>${stateOf('running')} or cut off: this stage has left no result yet.</p>`}
${result && result.message !== '' && html`<p class="message">${result.message}</p>`}
${kind === 'experiment' && html`<p><a href="/experiments/${segment(task)}">All about ${task}</a></p>`}
${!ends && html`<p class="quiet">There is no log file any more: retention may have removed it, or the stage never started a process.</p>`}
${
  ends &&
  html`<p class="quiet">${formatNumber(ends.size, 'B')}${ends.leftOutBytes > 0 && html`, of which ${formatNumber(ends.leftOutBytes, 'B')} in the middle are not shown`}. <a href="${whole}">The whole log as text</a></p>
${ends.size === 0 ? html`<p class="quiet">It printed nothing.</p>` : html`<pre class="log">${readable(ends.head)}</pre>`}
${ends.leftOutBytes > 0 && html`<p class="cut">${formatNumber(ends.leftOutBytes, 'B')} left out here</p><pre class="log">${readable(ends.tail)}</pre>`}`
}`;
}

/** Without colours and cursor movements; a progress line that was overwritten becomes lines. */
function readable(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with ESC.
      .replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[@-Z\\-_])/g, '')
      .replace(/\r\n?/g, '\n')
  );
}
