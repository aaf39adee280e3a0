import { useMemo, useRef, useState } from 'preact/hooks';
import UPlot from 'uplot';
import { faded, hueColour, hueToken, tokenColour } from '../../../charts/page/colours.ts';
import { TIME_TICKS, tickSteps, tickTexts, timeRoom, yRange } from '../../../charts/page/history-options.ts';
import { Plot, type PlotOptions } from '../../../charts/page/plot.tsx';
import type { DisturbedRange } from '../../../home/core/machine/disturbed-ranges.ts';
import { formatNumber } from '../../../platform/core/text/numbers.ts';
import type { TelemetryGroup } from './telemetry-groups.ts';

interface TelemetryChartProps {
  readonly group: TelemetryGroup;
  readonly span: readonly [number, number];
  readonly disturbed: readonly DisturbedRange[];
  readonly onZoom: (zoom: readonly [number, number] | undefined) => void;
}

/** All lines of a group; the pointer shows the values of that moment in every chart at once. */
export function TelemetryChart({ group, span, disturbed, onZoom }: TelemetryChartProps) {
  const { name, unit, lines, hidden } = group;
  const [place, setPlace] = useState<number>();
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  const data = useMemo(
    () => UPlot.join(lines.map(({ series }) => [[...series.times], [...series.values]])),
    [lines],
  );
  const options = useMemo(
    () => () => chartOptions(group, disturbed, { setPlace, onZoom: (to) => zoom.current(to) }),
    [group, disturbed],
  );
  return (
    <figure class="telemetry">
      <figcaption>
        <strong>{name}</strong> {unit !== '' && <span class="quiet">{unit}</span>}{' '}
        {lines.slice(0, NAMED).map(({ label }, index) => (
          <span key={label} class="key">
            <span class="key-colour" style={{ background: `var(${hueToken(index)})` }} aria-hidden="true" />
            {label} {place !== undefined && valueAt(data[index + 1]?.[place], unit)}
          </span>
        ))}
        {lines.length + hidden > NAMED && (
          <span class="quiet">
            and {lines.length + hidden - NAMED} more{hidden > 0 && `, ${hidden} of them not drawn`}
          </span>
        )}
      </figcaption>
      <Plot
        label={`${name} over time, ${lines.length} lines`}
        height={106}
        data={data}
        options={options}
        zoom={span}
      />
    </figure>
  );
}

/** A short run has a reading or two: they are drawn as dots. */
const FEW = 3;
/** As many as there are hues. */
const NAMED = 8;
/** Wide enough for "1000 MiB"; the bars of the stages begin where the charts do (.bar-room). */
const AXIS = 72;

interface ChartEvents {
  readonly setPlace: (place: number | undefined) => void;
  readonly onZoom: (zoom: readonly [number, number] | undefined) => void;
}

function chartOptions(
  { lines, unit }: TelemetryGroup,
  disturbed: readonly DisturbedRange[],
  { setPlace, onZoom }: ChartEvents,
): PlotOptions {
  const axis = {
    stroke: tokenColour('--quiet'),
    grid: { stroke: tokenColour('--rule'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  return {
    ms: 1,
    legend: { show: false },
    padding: [6, 8, 0, 0],
    series: [
      {},
      ...lines.map(({ label, series }, index) => ({
        ...{ label, stroke: hueColour(index), width: 1.2 },
        // One reading alone makes no line.
        points: { show: series.times.length <= FEW, size: 5, fill: hueColour(index) },
      })),
    ],
    scales: { y: { range: (_plot, low, high) => yRange(low, high, isNearZero(low, high)) } },
    axes: [
      { ...axis, size: 32, space: timeRoom, values: TIME_TICKS },
      {
        ...axis,
        size: AXIS,
        space: 24,
        values: (_plot, splits) => tickTexts(splits, unit),
        ...tickSteps(unit),
      },
    ],
    cursor: {
      drag: { x: true, y: false, setScale: false },
      sync: { key: 'telemetry', setSeries: false },
      bind: {
        dblclick: () => () => {
          onZoom(undefined);
          return null;
        },
      },
    },
    hooks: {
      drawClear: [(plot) => drawDisturbed(plot, disturbed)],
      setCursor: [({ cursor: { idx, left = -1 } }) => setPlace(left < 0 ? undefined : (idx ?? undefined))],
      setSelect: [(plot) => select(plot, onZoom)],
    },
  };
}

/** Zero is shown where it is not far: a frequency that moves by a hundredth would be a straight line. */
function isNearZero(low: number | null, high: number | null): boolean {
  return low !== null && high !== null && low >= 0 && low < high / 2;
}

function select(plot: UPlot, onZoom: ChartEvents['onZoom']): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const range = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')] as const;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onZoom([Math.floor(range[0]), Math.ceil(range[1])]);
}

function drawDisturbed(plot: UPlot, disturbed: readonly DisturbedRange[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = faded(tokenColour('--worse'), 0.14);
  for (const { from, to } of disturbed) {
    const left = Math.max(bbox.left, plot.valToPos(from, 'x', true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(to, 'x', true));
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
  ctx.restore();
}

function valueAt(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? '' : formatNumber(value, unit);
}
