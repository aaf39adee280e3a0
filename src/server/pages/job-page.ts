import { shortId } from '../../core/jobs/job-id.ts';
import type { LogPage } from '../../core/ports/job-queue.ts';
import { type Content, type Html, html, segment, segments } from '../../core/text/html.ts';
import type { JsonObject, JsonValue } from '../../core/text/json.ts';
import { counted } from '../../core/text/numbers.ts';
import { shellQuote } from '../../core/text/shell-quote.ts';
import type { JobView } from '../jobs/job-view.ts';
import type { FileListing } from '../jobs/output-files.ts';
import { jobStatus, progressBar } from '../parts/job-status.ts';
import { age, utc } from '../parts/moment.ts';
import { quantity } from '../parts/quantity.ts';
import { exitOf } from '../parts/state.ts';
import { jobMetricTable } from './job-metric-table.ts';
import { tookText } from './jobs-page.ts';

export interface JobPageView {
  readonly job: JobView;
  readonly logs: LogPage;
  readonly files: FileListing;
}

/** One job: how it is, why, what it ran with, what it printed and left. */
export function jobPage({ job, logs, files }: JobPageView, now: number): Content {
  const { id, name, status, reason, exception, traceback, createdAt } = job;
  const bar = status === 'RUNNING' || status === 'UNRESPONSIVE' ? progressBar(job.progress) : undefined;
  const end = exitOf(job.exit ? { exit: job.exit } : {});
  return html`<h1>${name} <span class="quiet">${shortId(id)} in ${job.experiment}, <a href="/jobs?project=${segment(job.project)}">${job.project}</a></span></h1>
<p>${jobStatus(status)}${end !== '' && `, ${end}`}, created ${age(createdAt, now)} by ${job.user}${bar && html` ${bar}`}</p>
${reason !== undefined && html`<p class="message">${reason}</p>`}
${exception !== undefined && html`<p class="message"><strong>${exception}</strong></p>`}
${traceback !== undefined && html`<details open><summary>Traceback</summary><pre class="log">${traceback}</pre></details>`}
${pictures(job)}
${job.metrics.length > 0 && html`<h2>Metrics</h2>${jobMetricTable(job.metrics)}`}
<h2>Configuration</h2>${objectTable(job.config, 'It has none.')}
${Object.keys(job.annotations).length > 0 && html`<h2>Annotations</h2>${objectTable(job.annotations, '')}`}
<h2>Output</h2>${logSection(job, logs, files)}
<h2>Files</h2>${fileSection(job, files)}
<h2>To repeat it</h2>${table(factRows(job, now))}`;
}

function pictures({ id, images }: JobView): Html | undefined {
  const shown = Object.entries(images).map(
    ([key, path]) =>
      html`<figure><img src="${fileAddress(id, path)}" alt="${key}" loading="lazy"><figcaption>${key}</figcaption></figure>`,
  );
  return shown.length === 0 ? undefined : html`<h2>Images</h2><div class="pictures">${shown}</div>`;
}

function objectTable(object: JsonObject, nothing: string): Html {
  const rows = Object.entries(object).map(([key, value]) => [key, valueText(value)] as const);
  return rows.length === 0 ? html`<p class="quiet">${nothing}</p>` : table(rows);
}

function valueText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function logSection({ id, workers }: JobView, { entries, leftOut }: LogPage, { files }: FileListing): Html {
  const hasFile = files.some(({ path, bytes }) => path === 'output.txt' && bytes > 0);
  if (entries.length === 0 && hasFile)
    return html`<p class="quiet">What it printed is in <a href="${fileAddress(id, 'output.txt')}">its file</a>.</p>`;
  if (entries.length === 0) return html`<p class="quiet">It has printed nothing yet.</p>`;
  const lines = entries.map(({ worker, message }) => (workers > 1 ? `${worker}: ${message}` : message));
  return html`<p class="quiet">The last ${counted(entries.length, 'line')}${leftOut > 0 && `; ${leftOut} more are only in its files`}. <a href="/api/jobs/${segment(id)}/logs">From the beginning, as JSON</a></p><pre class="log">${lines.join('\n')}</pre>`;
}

function fileSection({ id, outputDir }: JobView, { files, isCut }: FileListing): Html {
  if (files.length === 0) return html`<p class="quiet">There are none.</p>`;
  const rows = files.map(
    ({ path, bytes }) =>
      html`<tr><th scope="row"><a class="path" href="${fileAddress(id, path)}">${path}</a></th><td class="number">${quantity(bytes, 'B')}</td></tr>`,
  );
  return html`<p class="quiet">In <code>${outputDir}</code>${isCut && ', of which not all are listed'}</p><div class="scroll"><table><tbody>${rows}</tbody></table></div>`;
}

function fileAddress(id: string, path: string): string {
  return `/file/${segment(id)}/${segments(path)}`;
}

function factRows(job: JobView, now: number): readonly (readonly [string, Content])[] {
  const { program, git, code, ranks } = job;
  const command = program.type === 'script' ? program.path : program.argv.map(shellQuote).join(' ');
  const facts: readonly (readonly [string, Content])[] = [
    ['id', html`<code>${job.id}</code>`],
    [program.type, html`<code>${command}</code>`],
    ['code', code && html`<code>${code.type === 'path' ? code.path : `${code.name} ${code.hash}`}</code>`],
    ['commit', git && html`<code>${git.commit}</code>${git.isDirty && ', with changes'}`],
    ['executor', `${job.executor}, ${counted(job.workers, 'worker')}, priority ${job.priority}`],
    ['created', utc(job.createdAt)],
    ['started', job.startedAt !== undefined && utc(job.startedAt)],
    ['ended', job.endedAt !== undefined && utc(job.endedAt)],
    ['took', tookText(job, now)],
    ['attempt', job.attempt > 1 && job.attempt],
    ['workers', ranks.map(({ rank, host, pid }) => html`${rank}: ${host} process ${pid}<br>`)],
    ['after', job.after.map(jobLink)],
    ['repeats', job.rerunOf !== undefined && jobLink(job.rerunOf)],
    ['variables', job.envNames.join(', ')],
  ];
  return facts.filter(
    ([, value]) =>
      value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
}

function jobLink(id: string): Html {
  return html`<a href="/jobs/${segment(id)}">${shortId(id)}</a> `;
}

function table(rows: readonly (readonly [string, Content])[]): Html {
  return html`<div class="scroll"><table class="facts"><tbody>${rows.map(([key, value]) => html`<tr><th scope="row">${key}</th><td>${value}</td></tr>`)}</tbody></table></div>`;
}
