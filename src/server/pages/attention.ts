import type { ExperimentLine, Overview } from '../../app/read-overview.ts';
import type { Absence, FollowedChange } from '../../core/model/change-ledger.ts';
import type { Trial } from '../../core/model/run.ts';
import { type Content, type Html, html, segment } from '../../core/text/html.ts';
import { counted } from '../../core/text/numbers.ts';
import { absenceOf, fromTo, seriesLink, whyOf } from '../parts/change.ts';
import { minute } from '../parts/moment.ts';
import { shiftOf } from '../parts/quantity.ts';
import { logAddress, shortened, stateOf } from '../parts/state.ts';

/** More than fit on a screen are counted; the table below has them all. */
const MAX_LINES = 20;

/** What a person should look at: failures, what is missing, and changes that nobody has spoken about. */
export function attention({ experiments, subsystems, changes, absences }: Overview): Content {
  const lines: Html[] = [
    ...experiments.flatMap((line) => (line.state === 'failed' ? [failedLine(line.trial)] : [])),
    ...subsystems.flatMap((trial) => (trial.state === 'failed' ? [failedLine(trial)] : [])),
    ...experiments.flatMap((line) => (line.state === 'missing' ? [missingLine(line)] : [])),
    ...changes.map(changeLine),
    ...absences.map(absenceLine),
  ];
  if (lines.length === 0) {
    return html`<p class="calm">Nothing needs attention: no failure, nothing missing, no open change for the worse. <a href="/changes">All changes</a></p>`;
  }
  const hidden = lines.length - MAX_LINES;
  return html`<h2>Needs attention</h2><ul class="attention">${lines.slice(0, MAX_LINES).map((line) => html`<li>${line}</li>`)}</ul>
${hidden > 0 && html`<p class="quiet">${counted(hidden, 'more line')}: see the tables below, and <a href="/changes?open=1">open changes</a>.</p>`}`;
}

function failedLine(trial: Trial): Html {
  const { runId, kind, task, failedStage, message } = trial;
  const name = kind === 'experiment' ? nameLink(task) : html`${task}`;
  // A precheck looks at files and starts nothing: there is no log of it.
  const hasLog = failedStage !== undefined && failedStage !== 'precheck';
  const evidence = hasLog
    ? html`<a href="${logAddress(runId, { kind, task, stage: failedStage })}">log</a>`
    : html`<a href="/runs/${segment(runId)}">run</a>`;
  const where = failedStage === undefined ? 'no stage named' : `${failedStage} stage`;
  return html`${stateOf('failed')} ${name}: ${where} ${evidence}<br><span class="message">${shortened(message)}</span>`;
}

function missingLine({ name, trial }: ExperimentLine): Html {
  return html`${stateOf('missing')} ${nameLink(name)}: was not part of the last night; last seen in <a href="/runs/${segment(trial.runId)}">${trial.runId}</a>`;
}

function changeLine(change: FollowedChange): Html {
  const { id, isProvisional, at, moved } = change;
  return html`${shiftOf(change)} ${seriesLink(change.series)}: ${moved === undefined ? fromTo(change) : `${moved} measurements moved together`} since ${minute(at)}${isProvisional && html`, <strong>provisional</strong>`} <a class="quiet" href="/changes">${id}</a>${whyOf(change)}`;
}

function absenceLine(absence: Absence): Html {
  return html`${stateOf('missing')} ${absenceOf(absence)}`;
}

function nameLink(name: string): Html {
  return html`<a href="/experiments/${segment(name)}">${name}</a>`;
}
