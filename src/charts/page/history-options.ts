import type UPlot from 'uplot';
import { formatNumber, readableUnit } from '../../platform/core/text/numbers.ts';
import { faded, hueColour, tokenColour } from './colours.ts';
import { CROWDED, type HistoryData, type HistoryMark, type HistorySeries } from './history-data.ts';
import type { PlotOptions } from './plot.tsx';

export interface HistoryStyle {
  readonly series: readonly HistorySeries[];
  readonly data: HistoryData;
  readonly unit: string;
  readonly yTitle?: string;
  readonly isLog?: boolean;
  readonly startsAtZero?: boolean;
  readonly marks: readonly HistoryMark[];
  /** Times at which it was run and failed. */
  readonly failed: readonly number[];
  /** x is a number (a step) instead of a time; its title. */
  readonly stepTitle?: string;
  /** What a step is called on its axis; its number otherwise. */
  readonly stepText?: (step: number) => string;
}

/** How a history looks: lines with bands, marks over everything, crosses on the ground. */
export function historyOptions(style: HistoryStyle): PlotOptions {
  const { series, data, unit, stepTitle, stepText, isLog, startsAtZero } = style;
  const [text, rule] = [tokenColour('--quiet'), tokenColour('--rule')];
  const lines: UPlot.Series[] = [];
  const bands: UPlot.Band[] = [];
  for (const [index, { name, times, hue, isDots, isDashed, isFaint, isBackdrop }] of series.entries()) {
    const colour = isFaint ? faded(hueColour(hue ?? index), 0.4) : hueColour(hue ?? index);
    const isCrowded = times.length > CROWDED;
    const dots = {
      ...{ show: isDots ?? false, size: isCrowded ? 3 : 5, width: isCrowded ? 0 : 1 },
      fill: isCrowded ? faded(colour, 0.5) : colour,
    };
    lines.push({
      ...{ label: name, stroke: colour, width: isDots ? 0 : isFaint ? 1 : 1.5, spanGaps: false },
      ...(isDashed && { dash: [7, 4] }),
      // Dots are runs: what only stands behind them has none.
      points: isDots ? dots : isBackdrop ? { show: false } : { size: 5, fill: colour },
    });
    const { low, high } = data.places[index] ?? {};
    if (low === undefined || high === undefined) continue;
    const edge = { stroke: 'transparent', width: 0, points: { show: false } };
    lines.push({ label: `${name} low`, ...edge }, { label: `${name} high`, ...edge });
    bands.push({ series: [high, low], fill: faded(colour, 0.18) });
  }
  const axis = {
    stroke: text,
    grid: { stroke: rule, width: 1 },
    ticks: { show: false },
    font: FONT,
    labelFont: FONT,
  };
  return {
    ms: 1,
    legend: { show: false },
    series: [{}, ...lines],
    bands,
    scales: {
      x: { time: stepTitle === undefined },
      y: isLog ? { distr: 3 } : { range: (_plot, low, high) => yRange(low, high, startsAtZero ?? false) },
    },
    axes: [
      {
        ...axis,
        ...(stepTitle === undefined && { space: timeRoom, values: TIME_TICKS }),
        ...(stepTitle !== undefined && {
          ...{ size: 28, label: stepTitle, labelSize: 22 },
          values: (_plot: UPlot, splits: number[]) => tickTexts(splits, ''),
          ...(isWhole(data.columns[0]) && { incrs: WHOLE_STEPS }),
        }),
        ...(stepText && {
          space: 90,
          values: (_plot, splits) => splits.map((one) => (Number.isInteger(one) ? stepText(one) : '')),
        }),
      },
      {
        ...axis,
        size: (_plot, values) => 18 + 7 * Math.max(4, ...(values ?? []).map((one) => one.length)),
        values: (_plot, splits) => tickTexts(splits, unit),
        ...tickSteps(unit),
        label: yTitle(style),
        labelSize: 22,
      },
    ],
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7 }, focus: { prox: 30 } },
    hooks: { draw: [(plot) => drawMarks(plot, style)] },
  };
}

/** What of lines and values decides how the chart is made; with the same, new values are put into the one that is there. */
export function historyShape({ series, data, unit }: Pick<HistoryStyle, 'series' | 'data' | 'unit'>): string {
  const lines = series.map(({ times, values, low, high, runIds, ...style }) => ({
    ...style,
    isCrowded: times.length > CROWDED,
  }));
  return JSON.stringify([lines, data.places, isWhole(data.columns[0]), isOnTicks(data, unit)]);
}

const FONT = '12px system-ui, sans-serif';

/** A little room above and below; a level line gets some as well. */
export function yRange(low: number | null, high: number | null, startsAtZero: boolean): [number, number] {
  if (low === null || high === null) return [0, 1];
  const from = startsAtZero ? Math.min(0, low) : low;
  const room = (high - from) * 0.06 || Math.abs(high) * 0.05 || 1;
  return [startsAtZero && from === 0 ? 0 : from - room, high + room];
}

/** With the unit, unless each tick names its multiple of it. */
function yTitle({ yTitle: title = '', unit, data }: HistoryStyle): string {
  if (unit === '' || isOnTicks(data, unit)) return title;
  return title === '' ? unit : `${title} (${unit})`;
}

/** Ticks are in a multiple of the unit, which they name. */
function isOnTicks({ columns }: HistoryData, unit: string): boolean {
  return unit !== '' && readableUnit(largest(columns), unit).unit !== unit;
}

function largest([, ...columns]: UPlot.AlignedData): number {
  let most = 0;
  for (const column of columns) for (const one of column) most = Math.max(most, Math.abs(one ?? 0));
  return most;
}

/** Between run 1 and run 2 there is none. */
const WHOLE_STEPS = Array.from({ length: 16 }, (_, power) =>
  [1, 2, 5].map((one) => one * 10 ** power),
).flat();

function isWhole(steps: ArrayLike<number>): boolean {
  for (let place = 0; place < steps.length; place++) if (!Number.isInteger(steps[place])) return false;
  return true;
}

const BYTES = new Set(['B', 'byte', 'bytes', 'bytes/s', 'B/s']);
const POWERS_OF_TWO = Array.from({ length: 60 }, (_, power) => 2 ** power);

/** Bytes read best at powers of two: "512 MiB", never "476.837 MiB". */
export function tickSteps(unit: string): { readonly incrs?: number[] } {
  return BYTES.has(unit) ? { incrs: POWERS_OF_TWO } : {};
}

/** All ticks in one multiple of the unit: "20 ms", never "0.02 s" beside "900 µs". */
export function tickTexts(splits: readonly (number | null)[], unit: string): string[] {
  const largest = Math.max(...splits.map((one) => Math.abs(one ?? 0)));
  const scaled = readableUnit(largest, unit);
  const factor = largest === 0 ? 1 : scaled.value / largest;
  const ending = scaled.unit === unit ? '' : `\u202f${scaled.unit}`;
  return splits.map((one) => (one === null ? '' : tickText(Number((one * factor).toPrecision(6))) + ending));
}

/** As numbers elsewhere, but with all digits in which neighbours differ. */
function tickText(value: number): string {
  return Number.isInteger(value) ? formatNumber(value) : String(value).replace('-', '−');
}

function drawMarks(plot: UPlot, { marks, failed }: HistoryStyle): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.lineWidth = ratio;
  const back = faded(tokenColour('--back'), 0.8);
  let row = 0;
  for (const { at, text, look } of marks) {
    const x = plot.valToPos(at, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const colour = tokenColour(look === 'note' ? '--quiet' : look === 'unknown' ? '--text' : `--${look}`);
    ctx.strokeStyle = colour;
    ctx.setLineDash([4 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const isLate = x > bbox.left + bbox.width - 90 * ratio;
    ctx.textAlign = isLate ? 'right' : 'left';
    // Neighbours would write over each other: three rows in turn.
    const place = { x: x + (isLate ? -4 : 4) * ratio, y: bbox.top + (12 + 13 * (row++ % 3)) * ratio };
    // Read over dots as well.
    const width = ctx.measureText(text).width;
    ctx.fillStyle = back;
    ctx.fillRect(isLate ? place.x - width : place.x, place.y - 10 * ratio, width, 13 * ratio);
    ctx.fillStyle = colour;
    ctx.fillText(text, place.x, place.y);
  }
  ctx.setLineDash([]);
  ctx.strokeStyle = tokenColour('--worse');
  ctx.lineWidth = 1.5 * ratio;
  for (const at of failed) {
    const x = plot.valToPos(at, 'x', true);
    const y = bbox.top + bbox.height - 6 * ratio;
    ctx.beginPath();
    for (const side of [-1, 1]) {
      ctx.moveTo(x - 3 * ratio, y - 3 * ratio * side);
      ctx.lineTo(x + 3 * ratio, y + 3 * ratio * side);
    }
    ctx.stroke();
  }
  ctx.restore();
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Times on an axis as the page writes them elsewhere: 2026-01-31, 02:00. For each size of step what a tick says, and
 * what stands below it where another year or day begins.
 */
export const TIME_TICKS: UPlot.Axis.Values = [
  [365 * DAY, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * DAY, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [DAY, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [MINUTE, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{YYYY}-{MM}-{DD}', null, null, null, 1],
  [SECOND, '{HH}:{mm}:{ss}', '\n{YYYY}-{MM}-{DD}', null, '\n{YYYY}-{MM}-{DD}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}.{fff}', '\n{YYYY}-{MM}-{DD}', null, '\n{YYYY}-{MM}-{DD}', null, null, null, 1],
];

/** Pixels for each tick: a part of a second takes more of them to write. */
export function timeRoom(_plot: UPlot, _axis: number, from: number, to: number): number {
  return to - from < 10 * SECOND ? 100 : 64;
}
