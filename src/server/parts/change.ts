import { seriesText } from '../../core/changes/series-key.ts';
import type { JudgedSeries } from '../../core/model/change.ts';
import type { Absence, FollowedChange } from '../../core/model/change-ledger.ts';
import { type Content, type Html, html, segment } from '../../core/text/html.ts';
import { counted } from '../../core/text/numbers.ts';
import { minute } from './moment.ts';
import { pathText, quantity } from './quantity.ts';
import { shortened } from './state.ts';

/** The name of a series; that of an experiment leads to its page. */
export function seriesLink(series: JudgedSeries): Html {
  if (series.kind !== 'value') return html`<span class="path">${seriesText(series)}</span>`;
  const { experiment, path } = series;
  return html`<a href="/experiments/${segment(experiment)}">${experiment}</a> <span class="path">${pathText(path)}</span>`;
}

/** What stopped coming, and since when. */
export function absenceOf({ series, lastAt, count = 0 }: Absence): Html {
  if (series.kind !== 'experiment' && series.kind !== 'workload')
    return html`${seriesLink(series)}: stopped coming, last seen ${minute(lastAt)}`;
  const name =
    series.kind === 'workload'
      ? html`workload ${series.workload}`
      : html`<a href="/experiments/${segment(series.experiment)}">${series.experiment}</a>`;
  return html`${name}: has not come since ${minute(lastAt)}, ${counted(count, 'series', 'series')}`;
}

/** What else changed there, below the line that it is about. */
export function whyOf({ explanation }: FollowedChange): Content {
  return (
    explanation !== undefined &&
    explanation !== '' &&
    html`<br><span class="quiet why">${shortened(explanation, 300)}</span>`
  );
}

/** From one level to the other. */
export function fromTo({ before, after, unit }: FollowedChange): Html {
  return html`${quantity(before, unit)} → ${quantity(after, unit)}`;
}
