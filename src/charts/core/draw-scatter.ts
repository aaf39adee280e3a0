import { html } from '../../platform/core/text/html.ts';
import type { ScatterChart } from './chart.ts';
import { type Canvas, type Drawing, type Hit, raw, seriesStyle, shape } from './drawing.ts';
import { extentOf } from './extent.ts';
import { frameOf } from './frame.ts';

const MAX_HITS = 4000;

export function drawScatter(chart: ScatterChart, canvas: Canvas): Drawing {
  const yExtent = extentOf(
    chart.series.map(({ y }) => y),
    chart.y.scale === 'log',
  );
  const xExtent = extentOf(
    chart.series.map(({ x }) => x),
    chart.x.scale === 'log',
  );
  const points = chart.series.map(({ x, y }) => Math.min(x.length, y.length));
  const isEmpty = yExtent === undefined || xExtent === undefined;
  const names = chart.series.map(({ name }) => name);
  const frame = frameOf({ chart, x: chart.x, y: chart.y, xExtent, yExtent, names, isEmpty }, canvas);
  const total = points.reduce((sum, count) => sum + count, 0);
  const radius = total > 2000 ? 1.8 : 3.4;
  const hits: Hit[] = [];
  const groups = chart.series.map((series, index) => {
    const mark = shape(index, radius);
    // Points on the same pixel are one mark: ten thousand of them are drawn as fast as they can be seen.
    const marks = new Map<string, string>();
    for (let point = 0; point < (points[index] ?? 0); point++) {
      const [x, y] = [
        frame.x.place(series.x[point] ?? Number.NaN),
        frame.y.place(series.y[point] ?? Number.NaN),
      ];
      const key = `${Math.round(x)} ${Math.round(y)}`;
      if (Number.isNaN(x) || Number.isNaN(y) || marks.has(key)) continue;
      marks.set(key, mark(x, y));
      if (!canvas.wantsHits || hits.length >= MAX_HITS) continue;
      const name = series.labels?.[point] ?? series.name;
      const text = `${name}\n${frame.x.format(series.x[point] ?? 0)}: ${frame.y.format(series.y[point] ?? 0)}`;
      hits.push({ x, y, series: index, text });
    }
    const { colour } = seriesStyle(index, canvas.theme);
    const path = `<path d="${[...marks.values()].join('')}" fill="${colour}" fill-opacity="0.75"/>`;
    return html`<g data-series="${index}">${raw(path)}<title>${series.name}</title></g>`;
  });
  return {
    width: canvas.width,
    height: frame.height,
    body: html`${frame.below}${groups}${frame.above}`,
    hits,
  };
}
