import { type Html, html } from '../../platform/core/text/html.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { quantileOfSorted } from '../../stats/summary.ts';
import type { BoxChart } from './chart.ts';
import { type Canvas, type Drawing, type Hit, missingMark, px, raw, seriesStyle } from './drawing.ts';
import { extentOf, logNotes } from './extent.ts';
import { type Frame, frameOf } from './frame.ts';

/** Below this many values the values themselves say more than quartiles. */
const FEW = 5;
const MAX_OUTLIERS = 100;

/** Box: quartiles; line: median; whiskers: the last value within 1.5 interquartile ranges (Tukey); points: the rest. */
export function drawBox(chart: BoxChart, canvas: Canvas): Drawing {
  const yExtent = extentOf(
    chart.series.flatMap(({ values }) => values),
    chart.y.scale === 'log',
  );
  const frame = frameOf(
    {
      chart,
      x: { ...chart.x, scale: 'category' },
      y: chart.y,
      yExtent,
      names: chart.series.map(({ name }) => name),
      notes: logNotes(
        chart.y,
        chart.series.flatMap(({ values }) => values),
      ),
      isEmpty: yExtent === undefined,
    },
    canvas,
  );
  const hits: Hit[] = [];
  const groups = chart.series.map((series, index) => {
    const boxes = (chart.x.categories ?? []).map((_, place) => {
      const width = (frame.x.step * 0.8) / chart.series.length;
      const middle = frame.x.place(place) - frame.x.step * 0.4 + (index + 0.5) * width;
      const values = Float64Array.from(
        (series.values[place] ?? []).filter((value) => Number.isFinite(frame.y.place(value))),
      ).sort();
      const drawn = drawOne(values, { frame, canvas, index, middle, width: Math.min(width * 0.8, 60) });
      const text = `${series.name === '' ? '' : `${series.name}\n`}${frame.x.format(place)}: ${drawn.text}`;
      if (values.length > 0) {
        hits.push({ x: middle, y: frame.y.place(quantileOfSorted(values, 0.5)), series: index, text });
      }
      return html`<g>${drawn.markup}<title>${text}</title></g>`;
    });
    return html`<g data-series="${index}">${boxes}</g>`;
  });
  return {
    width: canvas.width,
    height: frame.height,
    body: html`${frame.below}${groups}${frame.above}`,
    hits,
  };
}

interface Place {
  readonly frame: Frame;
  readonly canvas: Canvas;
  readonly index: number;
  readonly middle: number;
  readonly width: number;
}

function drawOne(values: Float64Array, place: Place): { markup: Html; text: string } {
  const { frame, canvas, index, middle, width } = place;
  const style = seriesStyle(index, canvas.theme);
  if (values.length === 0) {
    return { markup: raw(missingMark(middle, frame.area.bottom - 7, canvas.theme.muted)), text: 'no values' };
  }
  const [low, mid, high] = [0.25, 0.5, 0.75].map((p) => quantileOfSorted(values, p)) as [
    number,
    number,
    number,
  ];
  const text = `median ${frame.y.format(mid)}, quartiles ${frame.y.format(low)} to ${frame.y.format(high)}, ${counted(values.length, 'value')}`;
  const dots = (list: readonly number[]) =>
    list.map((value) => style.marker(middle, frame.y.place(value), 2.6)).join('');
  if (values.length < FEW) return { markup: raw(dots([...values]) + median(mid, place)), text };
  const fence = 1.5 * (high - low);
  const inside = values.filter((value) => value >= low - fence && value <= high + fence);
  const outside = [...values].filter((value) => value < low - fence || value > high + fence);
  const [top, bottom] = [frame.y.place(high), frame.y.place(low)];
  const whiskers = `M${px(middle)} ${px(frame.y.place(inside.at(-1) ?? high))}V${px(top)}M${px(middle)} ${px(bottom)}V${px(frame.y.place(inside[0] ?? low))}`;
  const box = `<path d="${whiskers}" stroke="${style.colour}" stroke-width="1.4"/><rect x="${px(middle - width / 2)}" y="${px(top)}" width="${px(width)}" height="${px(Math.max(0.5, bottom - top))}" fill="${style.colour}" fill-opacity="0.3" stroke="${style.colour}"/>`;
  const ends = outside.length > MAX_OUTLIERS ? [outside[0] ?? 0, outside.at(-1) ?? 0] : outside;
  return {
    markup: raw(box + median(mid, place) + dots(ends)),
    text: `${text}${outside.length > 0 ? `, ${outside.length} outside the whiskers` : ''}`,
  };
}

function median(value: number, { frame, canvas, middle, width }: Place): string {
  const y = px(frame.y.place(value));
  return `<path d="M${px(middle - width / 2)} ${y}h${px(width)}" stroke="${canvas.theme.ink}" stroke-width="2"/>`;
}
