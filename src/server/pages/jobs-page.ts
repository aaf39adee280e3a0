import { shortId } from '../../core/jobs/job-id.ts';
import { type Content, type Html, html, segment } from '../../core/text/html.ts';
import { counted, formatDuration } from '../../core/text/numbers.ts';
import type { ListedJob } from '../jobs/job-view.ts';
import type { JobList } from '../jobs/read-routes.ts';
import { jobStatus, progressBar } from '../parts/job-status.ts';
import { age } from '../parts/moment.ts';
import { shortened } from '../parts/state.ts';

/** What was asked for, to be asked again. */
export interface AskedList {
  readonly search: string;
  readonly status: string;
  readonly project: string;
  /** Of all parameters but the place: "?status=RUNNING&". */
  readonly address: string;
  readonly isFiltered: boolean;
}

const STATUSES = [
  ['', 'any status'],
  ['QUEUE', 'in the queue'],
  ['RUNNING', 'running'],
  ['UNRESPONSIVE', 'unresponsive'],
  ['CREATED', 'waiting'],
  ['SCHEDULED', 'scheduled'],
  ['FINISHED', 'finished'],
  ['FAILED', 'failed'],
  ['CANCELED', 'cancelled'],
] as const;

/** Jobs, newest first, a page at a time. */
export function jobsPage({ jobs, nextBefore }: JobList, asked: AskedList, now: number): Content {
  if (jobs.length === 0 && !asked.isFiltered) return noJobsYet();
  return html`<h1>${jobs.length === 0 ? 'No job matches' : `${counted(jobs.length, 'job')}${nextBefore === undefined ? '' : ', and older ones'}`}</h1>
${filterForm(asked)}
${jobs.length > 0 && jobTable(jobs, now)}
${nextBefore !== undefined && html`<p><a href="/jobs${asked.address}before=${nextBefore}">Older jobs</a></p>`}`;
}

export function noQueuePage(): Content {
  return html`<h1>This server shows no jobs</h1><p>What keeps it from that is in the terminal of <code>nightmark serve</code>: the queue cannot be opened, or the definition of the home cannot be read.</p>`;
}

function noJobsYet(): Html {
  return html`<h1>No job yet</h1><p>The first one is submitted with</p><pre class="command">nightmark job submit -- python3 train.py</pre><p>and run by</p><pre class="command">nightmark job work</pre>`;
}

function filterForm({ search, status, project }: AskedList): Html {
  const options = STATUSES.map(([value, word]) =>
    value === status
      ? html`<option value="${value}" selected>${word}</option>`
      : html`<option value="${value}">${word}</option>`,
  );
  return html`<form method="get" action="/jobs"><p><label>Search <input name="search" value="${search}" placeholder="name, or where:lr > 0.1" size="30"></label> <label>Project <input name="project" value="${project}" size="15"></label> <label>Status <select name="status">${options}</select></label> <button>Show</button></p></form>`;
}

function jobTable(jobs: readonly ListedJob[], now: number): Html {
  return html`<div class="scroll"><table>
<thead><tr><th>job</th><th>experiment</th><th>status</th><th>created</th><th>took</th><th>by</th></tr></thead>
<tbody>${jobs.map((job) => jobRow(job, now))}</tbody></table></div>`;
}

function jobRow(job: ListedJob, now: number): Html {
  const { id, name, project, experiment, status, progress, createdAt, user, exception, reason } = job;
  const why = status === 'FAILED' || status === 'CANCELED' ? (exception ?? reason ?? '') : '';
  const isStarred = job.annotations['star'] === true;
  const bar = status === 'RUNNING' ? progressBar(progress) : undefined;
  return html`<tr><th scope="row"><a href="/jobs/${segment(id)}">${name}</a> <span class="quiet">${shortId(id)}</span>${isStarred && html` <span title="starred">★</span>`}</th><td>${experiment} <span class="quiet">${project}</span></td><td>${jobStatus(status)}${bar && html`<br>${bar}`}${why !== '' && html`<br><span class="message quiet">${shortened(why, 120)}</span>`}</td><td>${age(createdAt, now)}</td><td>${tookText(job, now)}</td><td>${user}</td></tr>`;
}

/** How long it ran, or has been running. */
export function tookText(
  { startedAt, endedAt }: Pick<ListedJob, 'startedAt' | 'endedAt'>,
  now: number,
): string {
  return startedAt === undefined ? '' : formatDuration(Math.max(0, (endedAt ?? now) - startedAt));
}
