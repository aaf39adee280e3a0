import type { LineChart } from '../../../charts/core/chart.ts';
import { chartSvg } from '../../../charts/core/chart-svg.ts';
import type { PictureMaker } from '../../../charts/core/picture-maker.ts';
import { seriesText } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { History, Store } from '../../../home/core/store.ts';
import { SeriesFinder } from '../../../judge/app/series/series-finder.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { NoticePicture } from '../../core/notices/notifier.ts';

const VALUES = 200;

/** The values around a change and its two levels, as a picture; undefined where the series has no values left. */
export async function drawChange(
  id: string,
  { store, pictures }: { readonly store: Store; readonly pictures: PictureMaker },
): Promise<NoticePicture | undefined> {
  const [change] = await store.changes({ id, limit: 1 });
  const history = change && (await new SeriesFinder(store).history(change.series, { limit: VALUES }));
  if (!change || !history || history.values.length < 2) return undefined;
  const title = visible(seriesText(change.series));
  const svg = chartSvg(chartOf(change, history, title), { theme: 'light', width: 800, height: 360 });
  return { name: `${id}.png`, title, png: await pictures.png(svg, { scale: 2 }) };
}

function chartOf(change: FollowedChange, { times, values }: History, title: string): LineChart {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  const { at, before, after, unit } = change;
  return {
    type: 'lines',
    title,
    x: { label: 'night', scale: 'time' },
    y: { label: 'value', unit },
    series: [
      { name: 'values', x: [...times], y: [...values], hasMarkers: true },
      { name: 'level before', x: [first, at], y: [before, before] },
      { name: 'level after', x: [at, last], y: [after, after] },
    ],
  };
}
