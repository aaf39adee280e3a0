import type { BarChart } from '../model/chart.ts';
import { type Html, html } from '../text/html.ts';
import { type Canvas, type Drawing, type Hit, px, raw } from './drawing.ts';
import { extentOf } from './extent.ts';
import { type Frame, frameOf } from './frame.ts';
import { logNotes } from './log-notes.ts';
import { missingMark, seriesLook } from './series-look.ts';

export function drawBars(chart: BarChart, canvas: Canvas): Drawing {
  const isLog = chart.y.scale === 'log';
  const yExtent = extentOf(
    chart.series.flatMap(({ values, low, high }) => [values, low, high]),
    isLog,
  );
  const frame = frameOf(
    {
      chart,
      x: { ...chart.x, scale: 'category' },
      // A bar is read by its length: it begins at zero, where zero has a place.
      y: isLog ? chart.y : { ...chart.y, startsAtZero: true },
      yExtent,
      names: chart.series.map(({ name }) => name),
      notes: logNotes(
        chart.y,
        chart.series.map(({ values }) => values),
      ),
      isEmpty: yExtent === undefined,
    },
    canvas,
  );
  const places = (chart.x.categories ?? []).map((_, place) => place);
  const hits: Hit[] = [];
  const groups = chart.series.map((series, index) => {
    const bars = places.map((place) =>
      drawBar({ series, index, place, of: chart.series.length }, frame, canvas),
    );
    for (const { hit } of bars) if (hit) hits.push(hit);
    return html`<g data-series="${index}">${bars.map(({ markup }) => markup)}</g>`;
  });
  const zero = isLog ? frame.area.bottom : frame.y.place(0);
  const line = `<path d="M${px(frame.area.left)} ${px(zero)}H${px(frame.area.right)}" stroke="${canvas.theme.muted}"/>`;
  const body = html`${frame.below}${groups}${raw(line)}${frame.above}`;
  return { width: canvas.width, height: frame.height, body, hits };
}

interface Bar {
  readonly series: BarChart['series'][number];
  readonly index: number;
  readonly place: number;
  readonly of: number;
}

function drawBar(
  { series, index, place, of }: Bar,
  { x, y, area }: Frame,
  { theme }: Canvas,
): { markup: Html; hit?: Hit } {
  const value = series.values[place] ?? Number.NaN;
  const width = (x.step * 0.8) / of;
  const left = x.place(place) - x.step * 0.4 + index * width;
  const middle = left + width / 2;
  const foot = Number.isNaN(y.place(0)) ? area.bottom : y.place(0);
  const end = y.place(value);
  const where = `${series.name === '' ? '' : `${series.name}\n`}${x.say(place)}: `;
  if (Number.isNaN(end)) {
    const text = `${where}no value`;
    return { markup: html`<g>${raw(missingMark(middle, foot - 7, theme.muted))}<title>${text}</title></g>` };
  }
  const { colour } = seriesLook(index, theme);
  const text = `${where}${y.say(value)}${spread(series, place, y)}`;
  const gap = width > 4 ? 0.5 : 0;
  const box = `<rect x="${px(left + gap)}" y="${px(Math.min(end, foot))}" width="${px(width - 2 * gap)}" height="${px(Math.max(0.5, Math.abs(end - foot)))}" fill="${colour}"/>`;
  const whisker = errorBar(
    [middle, Math.min(5, width / 3)],
    [y.place(series.low?.[place] ?? Number.NaN), y.place(series.high?.[place] ?? Number.NaN)],
    theme.ink,
  );
  return {
    markup: html`<g>${raw(box + whisker)}<title>${text}</title></g>`,
    hit: { x: middle, y: end, series: index, text },
  };
}

function spread({ low, high }: Bar['series'], place: number, y: Frame['y']): string {
  const [from, to] = [low?.[place], high?.[place]];
  return from === undefined || to === undefined || Number.isNaN(from)
    ? ''
    : ` (${y.say(from)} to ${y.say(to)})`;
}

function errorBar(
  [x, cap]: readonly [number, number],
  [low, high]: readonly [number, number],
  colour: string,
): string {
  if (Number.isNaN(low) || Number.isNaN(high) || low === high) return '';
  const ends = `M${px(x - cap)} ${px(high)}h${px(2 * cap)}M${px(x - cap)} ${px(low)}h${px(2 * cap)}`;
  return `<path d="M${px(x)} ${px(low)}V${px(high)}${ends}" stroke="${colour}" stroke-width="1.2" fill="none"/>`;
}
