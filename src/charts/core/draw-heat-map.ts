import { type Html, html } from '../../platform/core/text/html.ts';
import { formatNumber } from '../../platform/core/text/numbers.ts';
import type { HeatMap } from './chart.ts';
import { axisLabel } from './chart-numbers.ts';
import { type Canvas, type Drawing, type Hit, label, missingMark, px, raw, textWidth } from './drawing.ts';
import { type Extent, extentOf, unionOf } from './extent.ts';
import { type Frame, frameOf } from './frame.ts';

/** From dark blue to yellow, the same for all kinds of colour vision (after the map "cividis" of Nuñez et al., 2018). */
export const SHADES = [
  '#00224e',
  '#1c3a6e',
  '#3f4c6b',
  '#5a606e',
  '#727374',
  '#8b8778',
  '#a69d75',
  '#c4b468',
  '#e2cd54',
  '#fee838',
];
const KEY_ROOM = 26;

export function drawHeatMap(chart: HeatMap, canvas: Canvas): Drawing {
  const extent = unionOf(extentOf(chart.values, chart.value.scale === 'log'), chart.value.range);
  const frame = frameOf(
    {
      chart,
      x: { ...chart.x, scale: 'category' },
      y: { ...chart.y, scale: 'category' },
      names: [],
      isEmpty: extent === undefined,
    },
    { ...canvas, height: canvas.height - KEY_ROOM },
  );
  const hits: Hit[] = [];
  const rows = (chart.y.categories ?? []).map((_, row) =>
    (chart.x.categories ?? []).map((_, column) => {
      const cell = drawCell({ chart, extent, frame, canvas }, row, column);
      if (cell.hit) hits.push(cell.hit);
      return cell.markup;
    }),
  );
  const key = extent && drawKey(chart, extent, { frame, canvas });
  const body = html`${frame.below}<g>${rows}</g>${frame.above}${key}`;
  return { width: canvas.width, height: frame.height + KEY_ROOM, body, hits };
}

interface Surroundings {
  readonly chart: HeatMap;
  readonly extent: Extent | undefined;
  readonly frame: Frame;
  readonly canvas: Canvas;
}

function drawCell(
  { chart, extent, frame, canvas }: Surroundings,
  row: number,
  column: number,
): { markup: Html; hit?: Hit } {
  const value = chart.values[row]?.[column] ?? Number.NaN;
  const { x, y } = frame;
  const [cx, cy] = [x.place(column), y.place(row)];
  const where = `${x.format(column)}, ${y.format(row)}: `;
  const shade = extent && shadeOf(value, extent, chart.value.scale === 'log');
  if (shade === undefined) {
    return {
      markup: html`<g>${raw(missingMark(cx, cy, canvas.theme.muted))}<title>${where}no value</title></g>`,
    };
  }
  const text = `${where}${formatNumber(value, chart.value.unit)}`;
  const inside = formatNumber(value, chart.value.unit);
  const fits = textWidth(inside, 11) + 6 < x.step && y.step > 16;
  const box = `<rect x="${px(cx - x.step / 2)}" y="${px(cy - y.step / 2)}" width="${px(x.step)}" height="${px(y.step)}" fill="${SHADES[shade]}" stroke="${canvas.theme.ground}"${x.step < 6 ? ' stroke-width="0"' : ''}/>`;
  const ink = shade < 6 ? '#ffffff' : '#14181f';
  return {
    markup: html`<g>${raw(box)}${fits && label(inside, { at: [cx, cy + 4], fill: ink, size: 11, anchor: 'middle' })}<title>${text}</title></g>`,
    hit: { x: cx, y: cy, series: 0, text },
  };
}

function shadeOf(value: number, { low, high }: Extent, isLog: boolean): number | undefined {
  if (!Number.isFinite(value) || (isLog && value <= 0)) return undefined;
  if (low === high) return 5;
  const part = isLog
    ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
    : (value / 2 - low / 2) / (high / 2 - low / 2);
  // Next to the smallest number halves are zero, and the part of nothing in nothing is not a number.
  return Math.max(0, Math.min(SHADES.length - 1, Math.floor(part * SHADES.length) || 0));
}

/** Which colour is which value. */
function drawKey(
  { value }: HeatMap,
  { low, high }: Extent,
  { frame, canvas }: { frame: Frame; canvas: Canvas },
): Html {
  const top = frame.height + 4;
  const left = frame.area.left;
  const boxes = SHADES.map(
    (shade, index) =>
      `<rect x="${px(left + index * 16)}" y="${px(top)}" width="16" height="12" fill="${shade}"/>`,
  );
  const text = `${formatNumber(low, value.unit)} to ${formatNumber(high, value.unit)}: ${axisLabel(value, '')}`;
  const at = [left + SHADES.length * 16 + 10, top + 10] as const;
  return html`<g>${raw(boxes.join(''))}${label(text, { at, fill: canvas.theme.muted, size: 11, room: canvas.width - at[0] - 16 })}</g>`;
}
