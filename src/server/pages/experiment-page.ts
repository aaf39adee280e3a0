import { type ExperimentView, SERIES_PER_PAGE } from '../../app/read-experiment.ts';
import type { Summary } from '../../app/read-summary.ts';
import type { SeriesView } from '../../app/read-values.ts';
import { type Content, type Html, html, segment, segments } from '../../core/text/html.ts';
import { counted, formatDuration } from '../../core/text/numbers.ts';
import { chart } from '../parts/chart.ts';
import { age, minute } from '../parts/moment.ts';
import { changeOf, driftOf, pathText, quantity } from '../parts/quantity.ts';
import { exitOf, shortened, stateOf } from '../parts/state.ts';
import { stageTable } from './stage-table.ts';

/** How it stands, its summary, every value with its history, its pictures, its runs. */
export function experimentPage(view: ExperimentView, now: number): Content {
  const { name, title, newest, summary, graphs } = view;
  return html`<h1>${name}${title !== undefined && title !== name && html` <span class="quiet">${title}</span>`}</h1>
${newest && standing(newest, now)}
${summaryOf(summary)}
<h2>Values</h2>
${values(view)}
${newest && html`<h2>Stages of <a href="/runs/${segment(newest.run.id)}">${newest.run.label}</a></h2>${stageTable(newest.run.id, newest.stages)}`}
${graphs.files.length > 0 && html`<h2>Pictures</h2><div class="pictures">${graphs.files.map((file) => picture(name, file))}</div>`}
${graphs.isCut && html`<p class="quiet">There are more pictures in results/experiments/graph; the first ${graphs.files.length} are shown.</p>`}
<h2>Runs</h2>
${runs(view)}`;
}

function standing({ run, trial, stages }: NonNullable<ExperimentView['newest']>, now: number): Html {
  const failed = stages.find((stage) => !stage.success);
  const took = trial.durationMs !== undefined && html`, took ${formatDuration(trial.durationMs)}`;
  const commits = Object.entries(trial.commits);
  return html`<p>${stateOf(trial.state)}${trial.failedStage && ` in stage ${trial.failedStage}`}${failed && exitOf(failed) !== '' && ` (${exitOf(failed)})`}, ${age(run.startedAt, now)}${took}${commits.map(([source, commit]) => html`, ${source} <code>${commit}</code>`)}</p>
${trial.message !== '' && html`<p class="message">${trial.message}</p>`}`;
}

function summaryOf(summary: Summary): Content {
  if (summary.state === 'missing') return undefined;
  if (summary.state === 'unusable')
    return html`<p class="quiet">Its summary.json cannot be shown: ${summary.reason}.</p>`;
  return html`<h2>${summary.title || 'Summary'}</h2><p class="summary">${summary.text}</p>`;
}

function values(view: ExperimentView): Html {
  const { name, series, seriesCount, firstSeries, details, hasMoreSeries } = view;
  if (seriesCount === 0)
    return html`<p class="quiet">No number was found in its data files yet. Every number that the analyze stage writes to data.json appears here after the next night.</p>`;
  const next = firstSeries + SERIES_PER_PAGE;
  const address = `/experiments/${segment(name)}`;
  return html`<div class="charts">${series.map(figure)}</div>
${seriesCount > series.length && html`<p>Values ${firstSeries + 1} to ${firstSeries + series.length} of ${seriesCount}${hasMoreSeries && ' or more'}.${firstSeries > 0 && html` <a href="${address}?from=${Math.max(0, firstSeries - SERIES_PER_PAGE)}">Earlier</a>`}${next < seriesCount && html` <a href="${address}?from=${next}">More</a>`}</p>`}
${details.length > 0 && html`<details><summary>${counted(details.length, 'value')} below "detailed" (spreads, counts)</summary><p class="quiet">${details.slice(0, 500).map(pathText).join(', ')}${details.length > 500 && ` and ${details.length - 500} more`}</p></details>`}`;
}

function figure(series: SeriesView): Html {
  const newest = series.values.at(-1);
  const first = Math.min(...series.values);
  return html`<figure><figcaption><span class="path">${pathText(series.path)}</span> ${newest !== undefined && html`<strong>${quantity(newest, series.unit)}</strong>`} ${changeOf(series)} ${driftOf(series)} <span class="quiet">${series.better !== 'unknown' && `${series.better} is better, `}${counted(series.values.length, 'run')}${first > 0 && ', axis does not begin at zero'}</span></figcaption>${series.values.length > 0 && chart(series)}</figure>`;
}

function picture(name: string, file: string): Html {
  const address = `/files/graph/${segment(name)}/${segments(file)}`;
  return html`<a href="${address}"><img src="${address}" alt="${file}" loading="lazy"><br><span class="quiet">${file}</span></a>`;
}

const RUNS_SHOWN = 15;

function runs({ name, recent }: ExperimentView): Html {
  if (recent.length === 0) return html`<p class="quiet">None of the last runs had it.</p>`;
  const older = recent.slice(RUNS_SHOWN);
  return html`${runTable(name, recent.slice(0, RUNS_SHOWN))}
${older.length > 0 && html`<details><summary>${counted(older.length, 'earlier run')}</summary>${runTable(name, older)}</details>`}`;
}

function runTable(name: string, recent: ExperimentView['recent']): Html {
  return html`<div class="scroll"><table>
<thead><tr><th>run</th><th>begun</th><th>state</th><th class="number">took</th><th>data</th><th>message</th></tr></thead>
<tbody>${recent.map(
    ({ run, trial }) =>
      html`<tr><th scope="row"><a href="/runs/${segment(run.id)}">${run.label}</a></th><td>${minute(run.startedAt)}</td><td>${stateOf(trial.state)}</td><td class="number">${trial.durationMs === undefined ? '~' : formatDuration(trial.durationMs)}</td><td>${trial.state === 'succeeded' && html`<a href="/files/data/${segment(name)}/${segment(`data_${run.label}.json`)}">JSON</a>`}</td><td class="message">${shortened(trial.message, 120)}</td></tr>`,
  )}</tbody></table></div>`;
}
