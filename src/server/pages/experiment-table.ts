import type { ExperimentLine, NightView } from '../../app/read-overview.ts';
import type { SeriesView } from '../../app/read-values.ts';
import { type Html, html, segment } from '../../core/text/html.ts';
import { counted, formatDuration } from '../../core/text/numbers.ts';
import { minute } from '../parts/moment.ts';
import { countedRuns } from '../parts/night-strip.ts';
import { changeOf, pathText, quantity } from '../parts/quantity.ts';
import { type SparkNight, sparkline } from '../parts/sparkline.ts';
import { stateOf } from '../parts/state.ts';

const SPARK_NIGHTS = 30;

/** One row for each value that is shown; the experiment's name and state stand in its first row. */
export function experimentTable(lines: readonly ExperimentLine[], nights: readonly NightView[]): Html {
  const recent = nights.slice(0, SPARK_NIGHTS).toReversed();
  return html`<div class="scroll"><table class="experiments">
<thead><tr><th>experiment</th><th>${recent.every(({ run }) => run.kind === 'night') ? 'last night' : 'last run'}</th><th>value</th><th class="number">newest</th><th class="number" title="Newest value against the level that was accepted">change</th><th>${countedRuns(recent)}</th></tr></thead>
${lines.map((line) => html`<tbody>${rows(line, recent)}</tbody>`)}
</table></div>`;
}

function rows(line: ExperimentLine, recent: readonly NightView[]): readonly Html[] {
  if (line.values.length === 0) {
    return [html`<tr>${nameCells(line, 1)}<td class="quiet" colspan="4">${whyEmpty(line)}</td></tr>`];
  }
  const count = line.values.length + (line.moreValues > 0 ? 1 : 0);
  const values = line.values.map(
    (value, index) =>
      html`<tr>${index === 0 && nameCells(line, count)}${valueCells(value, line, recent)}</tr>`,
  );
  if (line.moreValues > 0) {
    values.push(
      html`<tr><td colspan="4"><a class="quiet" href="/experiments/${segment(line.name)}">${counted(line.moreValues, 'more value')}</a></td></tr>`,
    );
  }
  return values;
}

function nameCells({ name, title, state, trial }: ExperimentLine, count: number): Html {
  return html`<th scope="rowgroup" rowspan="${count}"><a href="/experiments/${segment(name)}">${name}</a>${title !== undefined && title !== name && html`<br><span class="quiet title">${title}</span>`}</th><td rowspan="${count}">${stateOf(state)}${hasRun(state) && trial.durationMs !== undefined && html`<br><span class="quiet">${formatDuration(trial.durationMs)}</span>`}</td>`;
}

function valueCells(value: SeriesView, line: ExperimentLine, recent: readonly NightView[]): Html {
  const ids = line.isImported ? value.runIds.slice(-SPARK_NIGHTS) : recent.map(({ run }) => run.id);
  const nights: readonly SparkNight[] = ids.map((runId) => {
    return { runId, hasFailed: line.failedRuns.includes(runId) };
  });
  const newest = value.values.at(-1);
  const at = value.times.at(-1) ?? 0;
  const lastStart = recent.find(({ run }) => run.id === line.trial.runId)?.run.startedAt ?? 0;
  const isStale = line.state === 'missing' || at < lastStart;
  const change = isStale ? html`<span class="quiet">of ${minute(at)}</span>` : changeOf(value);
  const number = newest === undefined ? html`~` : quantity(newest, value.unit);
  return html`<td class="path">${pathText(value.path)}</td><td class="number">${number}</td><td class="number">${change}</td><td>${sparkline(value, nights)}</td>`;
}

function hasRun(state: ExperimentLine['state']): boolean {
  return state === 'succeeded' || state === 'failed';
}

function whyEmpty({ state }: ExperimentLine): string {
  if (state === 'failed') return 'no value yet: it failed';
  if (state === 'inactive') return 'inactive: "active" is false in its configuration';
  return 'no number in its data files yet';
}
