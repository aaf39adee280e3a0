import { seriesText } from '../../core/changes/series-key.ts';
import type { JudgedSeries } from '../../core/model/change.ts';
import type { FollowedChange } from '../../core/model/change-ledger.ts';
import { type Content, type Html, html, segment } from '../../core/text/html.ts';
import { pathText, quantity } from './quantity.ts';
import { shortened } from './state.ts';

/** The name of a series; that of an experiment leads to its page. */
export function seriesLink(series: JudgedSeries): Html {
  if (series.kind !== 'value') return html`<span class="path">${seriesText(series)}</span>`;
  const { experiment, path } = series;
  return html`<a href="/experiments/${segment(experiment)}">${experiment}</a> <span class="path">${pathText(path)}</span>`;
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
