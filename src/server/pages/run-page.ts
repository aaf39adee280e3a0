import { describeNight } from '../../app/count-trials.ts';
import type { RunView, TaskView } from '../../app/read-run.ts';
import { type Content, type Html, html, segment } from '../../core/text/html.ts';
import { formatDuration } from '../../core/text/numbers.ts';
import { age, utc } from '../parts/moment.ts';
import { durationOf } from '../parts/night-strip.ts';
import { stateOf } from '../parts/state.ts';
import { stageTable } from './stage-table.ts';

/** One run: how it went, what it needed to be repeated, and every stage of every task. */
export function runPage(view: RunView, now: number): Content {
  const { run, experiments, subsystems, tasks } = view;
  return html`<h1>${capital(run.kind)} ${run.label}: ${describeNight(experiments, subsystems, durationOf(view))}</h1>
<p>${stateOf(run.state)}, begun ${age(run.startedAt, now)}${run.origin !== 'measured' && html`, <strong>${run.origin} data</strong>, not measured here`}${run.state === 'interrupted' && html`. <code>nightmark run --resume</code> completes it`}</p>
${run.warnings.length > 0 && html`<h2>Warnings</h2><ul>${run.warnings.map((warning) => html`<li class="message">${warning}</li>`)}</ul>`}
<h2>Tasks</h2>
${tasks.length === 0 && html`<p class="quiet">This run has no tasks yet.</p>`}
${tasks.map((task) => taskSection(run.id, task))}
<h2>To repeat it</h2>
${facts(view)}`;
}

function taskSection(runId: string, { trial, stages }: TaskView): Html {
  const { kind, task, title, state, failedStage, message, durationMs, commits } = trial;
  const name =
    kind === 'experiment' ? html`<a href="/experiments/${segment(task)}">${task}</a>` : html`${task}`;
  const isOpen = state === 'failed' || state === 'running';
  const body = html`${message !== '' && html`<p class="message">${message}</p>`}${stageTable(runId, stages)}`;
  const head = html`<summary>${stateOf(state)} <strong>${name}</strong>${title !== undefined && title !== task && html` <span class="quiet title">${title}</span>`}${failedStage && ` in stage ${failedStage}`}${durationMs !== undefined && html` <span class="quiet">${formatDuration(durationMs)}</span>`}${kind === 'subsystem' && html` <span class="quiet">subsystem</span>`}${Object.entries(commits).map(([source, commit]) => html` <span class="quiet">${source} <code>${commit}</code></span>`)}</summary>`;
  return isOpen
    ? html`<details class="task" open>${head}${body}</details>`
    : html`<details class="task">${head}${body}</details>`;
}

function facts({ run, machine }: RunView): Html {
  const rows: readonly (readonly [string, Content])[] = [
    ['id', html`<code>${run.id}</code>`],
    ['begun', utc(run.startedAt)],
    ['ended', endOf(run)],
    ['seed', run.seed === undefined ? 'not recorded' : html`<code>${run.seed}</code>`],
    ['order', run.order.length === 0 ? 'not recorded' : run.order.join(', ')],
    ['machine', machine ? html`${machine.name} <code>${machine.id}</code>` : 'not recorded'],
    ...Object.entries(machine?.facts ?? {}).map(([key, value]) => {
      return [key, typeof value === 'string' ? value : JSON.stringify(value)] as const;
    }),
  ];
  return html`<div class="scroll"><table class="facts"><tbody>${rows.map(([key, value]) => html`<tr><th scope="row">${key}</th><td>${value}</td></tr>`)}</tbody></table></div>`;
}

function endOf({ endedAt, state }: RunView['run']): string {
  if (endedAt !== undefined) return utc(endedAt);
  return state === 'finished' ? 'not recorded' : 'not yet';
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
