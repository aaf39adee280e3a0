import { describeNight } from '../../app/count-trials.ts';
import type { NightView, Overview } from '../../app/read-overview.ts';
import { type Content, type Html, html, segment } from '../../core/text/html.ts';
import { counted, formatDuration } from '../../core/text/numbers.ts';
import { age, minute } from '../parts/moment.ts';
import { countedRuns, durationOf, nightStrip } from '../parts/night-strip.ts';
import { attention } from './attention.ts';
import { emptyHome } from './empty-home.ts';
import { experimentTable } from './experiment-table.ts';
import { taskTable } from './task-table.ts';

/** The answer in a sentence, what needs attention, then everything. */
export function homePage(overview: Overview, now: number): Content {
  const { running, last, nights, experiments, leftOut, subsystems } = overview;
  if (nights.length === 0) return emptyHome(overview);
  return html`
${last && lastNight(last, now)}
${running && runningNight(running, now, last !== undefined)}
<div class="strip">${nightStrip(nights)}<span class="quiet">${stripWords(overview)}</span></div>
${attention(overview)}
<h2>All experiments</h2>
${experiments.length === 0 ? html`<p class="quiet">No experiment was part of these nights.</p>` : experimentTable(experiments, nights)}
${leftOut > 0 && html`<p><a href="/?all=1">Show ${counted(leftOut, 'more experiment')}</a></p>`}
${subsystems.length > 0 && html`<h2>Subsystems</h2>${taskTable(subsystems)}`}`;
}

function lastNight(night: NightView, now: number): Html {
  const { run, experiments, subsystems } = night;
  const end = run.endedAt ?? run.startedAt;
  const words = describeNight(experiments, subsystems, durationOf(night));
  return html`<h1>Last ${run.kind}: ${words}</h1>
<p class="quiet"><a href="/runs/${segment(run.id)}">${run.label}</a>${run.state === 'interrupted' && html`, <strong>interrupted</strong>: <code>nightmark run --resume</code> completes it`}, ${age(end, now)}${run.origin !== 'measured' && html`, <strong>${run.origin} data</strong>`}${isOld(end, now) && html`. <strong>Nothing newer for ${formatDuration(daysOf(now - end))}.</strong>`}</p>`;
}

function runningNight(night: NonNullable<Overview['running']>, now: number, isSecond: boolean): Html {
  const { run, experiments, subsystems, lastSignAt } = night;
  const total = experiments.total + subsystems.total;
  const done = total - experiments.unfinished - subsystems.unfinished;
  const failed = experiments.failed + subsystems.failed;
  const words = html`A night is running: <a href="/runs/${segment(run.id)}">${done} of ${counted(total, 'task')} done</a>${failed > 0 && `, ${failed} failed`}, begun ${age(run.startedAt, now)}${lastSignAt !== undefined && html`, last sign of life ${age(lastSignAt, now)}`}`;
  return isSecond ? html`<p class="running">${words}</p>` : html`<h1>${words}</h1>`;
}

function stripWords({ nights, runCount }: Overview): Content {
  const oldest = nights.at(-1);
  if (!oldest) return undefined;
  const older = runCount - nights.length;
  return html`${countedRuns(nights)} since ${minute(oldest.run.startedAt)}${older > 0 && html`, <a href="/runs?before=${oldest.run.startedAt}">${counted(older, 'older or other run')}</a>`}`;
}

/** A night has 24 hours, and half a day of grace. */
function isOld(end: number, now: number): boolean {
  return now - end > 36 * 3_600_000;
}

function daysOf(ms: number): number {
  return Math.max(1, Math.floor(ms / 86_400_000)) * 86_400_000;
}
