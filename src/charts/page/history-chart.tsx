import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type UPlot from 'uplot';
import { counted, formatNumber } from '../../platform/core/text/numbers.ts';
import { localText } from '../../platform/page/parts/time.tsx';
import { type HistoryMark, type HistoryPoint, type HistorySeries, historyData } from './history-data.ts';
import { historyOptions, historyShape } from './history-options.ts';
import { Plot } from './plot.tsx';

export interface HistoryChartProps {
  readonly series: readonly HistorySeries[];
  readonly unit?: string;
  readonly yTitle?: string;
  readonly height?: number;
  readonly marks?: readonly HistoryMark[];
  readonly failed?: readonly number[];
  readonly isLog?: boolean;
  readonly startsAtZero?: boolean;
  readonly stepTitle?: string;
  readonly stepText?: (step: number) => string;
  readonly zoom?: readonly [number, number] | undefined;
  readonly onZoom?: (zoom: readonly [number, number] | undefined) => void;
  /** A click on a point; with shift it chooses instead of going there. */
  readonly onPick?: (point: HistoryPoint, how: { readonly isShift: boolean }) => void;
  /** Beside value and time, of the point below the pointer. */
  readonly describe?: (point: HistoryPoint) => ComponentChildren;
}

const NONE: readonly never[] = [];

/**
 * Values over time: dots are runs, a band is an interval, a vertical line is a change with its effect, a gap is missing,
 * a cross failed. Dragging zooms, a double click shows everything again.
 */
export function HistoryChart(props: HistoryChartProps) {
  const { series, unit = '', yTitle, height = 220, marks = NONE, failed = NONE, isLog, startsAtZero } = props;
  const { stepTitle, stepText, zoom, describe } = props;
  const [hover, setHover] = useState<Hover>();
  const callbacks = useRef(props);
  callbacks.current = props;
  const data = useMemo(() => historyData(series), [series]);
  const latest = useRef({ series, data });
  latest.current = { series, data };
  const shape = useMemo(() => historyShape({ series, data, unit }), [series, data, unit]);
  // More of the same lines goes into the chart that is there: only another shape makes another one.
  const options = useMemo(() => {
    const style = {
      ...{ series, data, unit, marks, failed },
      ...(yTitle !== undefined && { yTitle }),
      ...(isLog !== undefined && { isLog }),
      ...(startsAtZero !== undefined && { startsAtZero }),
      ...(stepTitle !== undefined && { stepTitle }),
      ...(stepText !== undefined && { stepText }),
    };
    return () => {
      const base = historyOptions(style);
      const pointAt = (plot: UPlot) => pointBelow(plot, latest.current);
      return {
        ...base,
        cursor: {
          ...base.cursor,
          bind: { dblclick: () => () => showAll(callbacks.current) },
        },
        hooks: {
          ...base.hooks,
          ready: [
            (plot: UPlot) => bindClick(plot, (isShift) => pick(pointAt(plot), isShift, callbacks.current)),
          ],
          setCursor: [(plot: UPlot) => setHover(pointAt(plot))],
          setSelect: [(plot: UPlot) => select(plot, callbacks.current)],
        },
      };
    };
  }, [shape, unit, marks, failed, yTitle, isLog, startsAtZero, stepTitle, stepText]);
  const lines = series.filter(({ isBackdrop }) => !isBackdrop).length;
  const label = `${counted(lines, 'line')}, ${counted(data.columns[0].length, 'point')}${yTitle === undefined ? '' : `: ${yTitle}`}`;
  return (
    <div class="history">
      <Plot label={label} height={height} data={data.columns} options={options} zoom={zoom} />
      {hover && (
        <div
          class={`hover ${hover.isRight ? 'left' : 'right'}`}
          style={{ '--x': `${hover.x}px`, '--y': `${hover.y}px` }}
        >
          {lines > 1 && <div class="name">{hover.point.series.name}</div>}
          <strong>{formatNumber(hover.point.value, unit)}</strong> {intervalText(hover.point, unit)}
          <div>
            {stepTitle === undefined
              ? localText(hover.point.at)
              : (stepText?.(hover.point.at) ?? `${stepTitle} ${formatNumber(hover.point.at)}`)}
          </div>
          {describe?.(hover.point)}
        </div>
      )}
    </div>
  );
}

interface Hover {
  readonly point: HistoryPoint;
  readonly x: number;
  readonly y: number;
  readonly isRight: boolean;
}

interface Below {
  readonly series: readonly HistorySeries[];
  readonly data: ReturnType<typeof historyData>;
}

/** The point nearest to the pointer among all lines. */
function pointBelow(plot: UPlot, { series, data }: Below): Hover | undefined {
  const { idx, top = -1 } = plot.cursor;
  if (idx === null || idx === undefined || top < 0) return undefined;
  let best: (Hover & { readonly distance: number }) | undefined;
  for (const [index, { value }] of data.places.entries()) {
    const one = series[index];
    const number = data.columns[value]?.[idx];
    const at = data.columns[0][idx];
    if (one === undefined || one.isBackdrop || number === null || number === undefined || at === undefined)
      continue;
    const y = plot.valToPos(number, 'y');
    const distance = Math.abs(y - top);
    if (best && best.distance <= distance) continue;
    const x = plot.valToPos(at, 'x') + plot.bbox.left / devicePixelRatio;
    const point = { series: one, index: data.origin(index, idx), at, value: number };
    best = { point, distance, x, y: y + plot.bbox.top / devicePixelRatio, isRight: x > plot.width / 2 };
  }
  return best;
}

function bindClick(plot: UPlot, click: (isShift: boolean) => void): void {
  let from = 0;
  plot.over.addEventListener('mousedown', ({ clientX }) => {
    from = clientX;
  });
  plot.over.addEventListener('mouseup', ({ clientX, shiftKey }) => {
    if (Math.abs(clientX - from) < 3) click(shiftKey);
  });
}

/** uPlot's own way would leave the address as it is. */
function showAll({ onZoom }: HistoryChartProps): null {
  onZoom?.(undefined);
  return null;
}

function pick(hover: Hover | undefined, isShift: boolean, { onPick }: HistoryChartProps): void {
  if (hover) onPick?.(hover.point, { isShift });
}

function select(plot: UPlot, { onZoom }: HistoryChartProps): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (onZoom) onZoom([Math.floor(from), Math.ceil(to)]);
  else plot.setScale('x', { min: from, max: to });
}

function intervalText({ series: { low, high }, index }: HistoryPoint, unit: string): string {
  const [from, to] = [low?.[index], high?.[index]];
  return from === undefined || to === undefined
    ? ''
    : `[${formatNumber(from, unit)}, ${formatNumber(to, unit)}]`;
}
