import { useMemo, useRef, useState } from 'preact/hooks';
import type UPlot from 'uplot';
import { tokenColour } from '../../../charts/page/colours.ts';
import { Plot, type PlotOptions } from '../../../charts/page/plot.tsx';
import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import { localText } from '../../../platform/page/parts/time.tsx';
import { type DrawnCurves, drawCurves } from './draw-curves.ts';
import { firstFrom } from './plot-places.ts';
import { type Curve, smoothed } from './read-curves.ts';

export interface CellProps extends DrawnCurves {
  readonly title: string;
  readonly x: string;
  readonly yTitle: string;
  readonly xRange: readonly [number, number];
  readonly yRange: readonly [number, number];
  readonly height: number;
  readonly nameOf: (curve: Curve) => string;
  readonly onZoom: (range: readonly [number, number] | undefined) => void;
  /** Ctrl- or Alt-click: the crosshair stays there in all cells. */
  readonly onPin: (at: readonly [number, number] | undefined) => void;
}

/** One chart of the grid. All share their axes, the crosshair and the zoom. */
export function SeriesCell(props: CellProps) {
  const { title, x, yTitle, xRange, yRange, height, isLogX, isLogY, curves } = props;
  const latest = useRef(props);
  latest.current = props;
  const [hover, setHover] = useState<Hover>();
  const options = useMemo(
    () => () => cellOptions({ x, yTitle, isLogX, isLogY }, latest, setHover),
    [x, yTitle, isLogX, isLogY],
  );
  const { styleOf, smooth, opacity, at } = props;
  // A new table makes the plot draw anew; the curves themselves are drawn by the hook.
  const data = useMemo<UPlot.AlignedData>(
    () => [[...xRange], [...yRange]],
    [curves, styleOf, smooth, opacity, at, xRange[0], xRange[1], yRange[0], yRange[1]],
  );
  const label = `${title === '' ? yTitle : title}: ${counted(curves.length, 'curve')} over ${x}`;
  return (
    <figure class="series-cell">
      {title !== '' && <figcaption title={title}>{title}</figcaption>}
      <div class="history">
        <Plot label={label} height={height} data={data} options={options} />
        {hover && (
          <div
            class={`hover ${hover.isRight ? 'left' : 'right'}`}
            style={{ '--x': `${hover.px}px`, '--y': `${hover.py}px` }}
          >
            <div class="name">{props.nameOf(hover.curve)}</div>
            <strong>{formatNumber(hover.y)}</strong>
            {hover.low !== undefined && ` [${formatNumber(hover.low)}, ${formatNumber(hover.high ?? 0)}]`}
            {hover.curve.count !== undefined && ` mean of ${hover.curve.count}`}
            <div>{x === 'time' ? localText(hover.x) : `${axisTitle(x)} ${formatNumber(hover.x)}`}</div>
          </div>
        )}
      </div>
    </figure>
  );
}

interface Hover {
  readonly curve: Curve;
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
  readonly px: number;
  readonly py: number;
  readonly isRight: boolean;
}

export function axisTitle(x: string): string {
  return x === 'relative' ? 'seconds since the start' : x;
}

const FONT = '12px system-ui, sans-serif';

type Latest = { readonly current: CellProps };

function cellOptions(
  { x, yTitle, isLogX, isLogY }: Pick<CellProps, 'x' | 'yTitle' | 'isLogX' | 'isLogY'>,
  latest: Latest,
  setHover: (hover: Hover | undefined) => void,
): PlotOptions {
  const axis = {
    ...{ stroke: tokenColour('--quiet'), grid: { stroke: tokenColour('--rule'), width: 1 } },
    ...{ ticks: { show: false }, font: FONT, labelFont: FONT, labelSize: 18 },
  };
  return {
    ms: 1,
    legend: { show: false },
    series: [{}, { stroke: 'transparent', points: { show: false } }],
    scales: {
      x: { time: x === 'time', ...(isLogX && { distr: 3 as const }) },
      y: { ...(isLogY && { distr: 3 as const }), range: () => [...latest.current.yRange] },
    },
    axes: [
      { ...axis, size: 30, ...(x !== 'time' && { label: axisTitle(x) }) },
      {
        ...axis,
        label: yTitle,
        size: (_plot, values) => 14 + 7 * Math.max(3, ...(values ?? []).map((one) => (one ?? '').length)),
        values: (_plot, splits) => splits.map((one) => (one === null ? '' : tickText(one))),
      },
    ],
    cursor: {
      drag: { x: true, y: false, setScale: false },
      points: { show: false },
      sync: { key: 'job series', scales: ['x', 'y'], setSeries: false },
      bind: {
        dblclick: () => () => {
          latest.current.onZoom(undefined);
          return null;
        },
      },
    },
    hooks: {
      draw: [(plot) => drawCurves(plot, latest.current)],
      ready: [(plot) => bind(plot, latest, setHover)],
      setCursor: [
        (plot) => setHover(plot.over.matches(':hover') ? nearest(plot, latest.current) : undefined),
      ],
      setSelect: [(plot) => select(plot, latest.current)],
    },
  };
}

function tickText(value: number): string {
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e5 || size < 1e-3)
    ? value.toExponential().replace('e+', 'e')
    : String(Number(value.toPrecision(6)));
}

function bind(plot: UPlot, latest: Latest, setHover: (hover: undefined) => void): void {
  plot.over.addEventListener('mouseleave', () => setHover(undefined));
  plot.over.addEventListener('click', ({ ctrlKey, altKey, metaKey, offsetX, offsetY }) => {
    if (!ctrlKey && !altKey && !metaKey) return;
    const { at, onPin } = latest.current;
    const there = [plot.posToVal(offsetX, 'x'), plot.posToVal(offsetY, 'y')] as const;
    // A second click near the same place removes it.
    const isSame =
      at &&
      Math.abs(plot.valToPos(at[0], 'x') - offsetX) < 6 &&
      Math.abs(plot.valToPos(at[1], 'y') - offsetY) < 6;
    onPin(isSame ? undefined : [rounded(there[0]), rounded(there[1])]);
  });
}

function select(plot: UPlot, { onZoom }: CellProps): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const range = [rounded(plot.posToVal(left, 'x')), rounded(plot.posToVal(left + width, 'x'))] as const;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onZoom(range);
}

/** As many digits as a screen shows; times keep theirs. */
function rounded(value: number): number {
  return Math.abs(value) > 1e9 ? Math.round(value) : Number(value.toPrecision(6));
}

/** The curve that is nearest to the pointer at its x. */
function nearest(plot: UPlot, { curves, smooth }: CellProps): Hover | undefined {
  const { left = -1, top = -1 } = plot.cursor;
  if (left < 0 || top < 0) return undefined;
  const wanted = plot.posToVal(left, 'x');
  let best: (Hover & { readonly distance: number }) | undefined;
  for (const curve of curves) {
    const at = nearestPlace(curve.x, wanted);
    const [x, y] = [curve.x[at], (smooth > 0 ? smoothed(curve.y, smooth) : curve.y)[at]];
    if (x === undefined || y === undefined) continue;
    const [px, py] = [plot.valToPos(x, 'x'), plot.valToPos(y, 'y')];
    const distance = Math.hypot((px - left) / 2, py - top);
    if (!Number.isFinite(distance) || (best && best.distance <= distance)) continue;
    const [low, high] = [curve.low?.[at], curve.high?.[at]];
    const band = low !== undefined && high !== undefined && Number.isFinite(low) ? { low, high } : {};
    const [offsetX, offsetY] = [plot.bbox.left / devicePixelRatio, plot.bbox.top / devicePixelRatio];
    best = {
      curve,
      x,
      y,
      ...band,
      distance,
      px: px + offsetX,
      py: py + offsetY,
      isRight: px > plot.width / 2,
    };
  }
  return best;
}

function nearestPlace(x: Float64Array, wanted: number): number {
  const right = firstFrom(x, wanted);
  if (right === 0) return 0;
  if (right >= x.length) return x.length - 1;
  return wanted - (x[right - 1] as number) < (x[right] as number) - wanted ? right - 1 : right;
}
