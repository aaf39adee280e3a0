import { useMemo, useRef, useState } from 'preact/hooks';
import UPlot from 'uplot';
import { faded, hueColour, hueToken, tokenColour } from '../../../charts/page/colours.ts';
import { TIME_TICKS, tickSteps, tickTexts, timeRoom, yRange } from '../../../charts/page/history-options.ts';
import { Plot, type PlotOptions } from '../../../charts/page/plot.tsx';
import type { DisturbedRange } from '../../../home/core/machine/disturbed-ranges.ts';
import type { StageResult } from '../../../home/core/run.ts';
import { counted, formatDuration, formatNumber } from '../../../platform/core/text/numbers.ts';
import { localText } from '../../../platform/page/parts/time.tsx';
import { useZoom } from '../../../platform/page/router/address.ts';
import type { TelemetryView } from '../../app/runs/run-telemetry.ts';
import { groupTelemetry, spanOf, type TelemetryGroup } from './telemetry-groups.ts';

export interface TelemetryUnderTimelineProps {
  readonly stages: readonly StageResult[];
  readonly telemetry: TelemetryView;
  /** Parameter of the address that holds the visible time range. */
  readonly zoomName?: string;
  /** The whole time, where it is more than that of the stages and readings. */
  readonly span?: readonly [number, number];
}

/** Stages as bars on an axis of time, and below them what the machine did, on the same axis. */
export function TelemetryUnderTimeline({
  stages,
  telemetry,
  zoomName = 'stretch',
  span: given,
}: TelemetryUnderTimelineProps) {
  const [zoom, setZoom] = useZoom(zoomName);
  const groups = useMemo(() => groupTelemetry(telemetry.series), [telemetry]);
  const whole = given ?? spanOf(stages, telemetry.series);
  const { disturbed } = telemetry;
  if (whole === undefined) return <p class="quiet">No stage has ended yet.</p>;
  const span = zoom ?? whole;
  return (
    <div class="under-timeline">
      <StageBars stages={stages} disturbed={disturbed} span={span} />
      {groups.length === 0 && (
        <p class="quiet">
          No telemetry was recorded: "telemetry" in the configuration of an experiment switches it on.
        </p>
      )}
      {disturbed.length > 0 && (
        <p class="small">
          <span class="disturbed-key" aria-hidden="true" />{' '}
          {counted(disturbed.length, 'disturbed period', 'disturbed periods')}:{' '}
          {[...new Set(disturbed.map(({ reason }) => reason.replace(/, up to.*$/, '')))].join('; ')}.
        </p>
      )}
      {zoom && (
        <p>
          <button type="button" class="small" onClick={() => setZoom(undefined)}>
            Show the whole time
          </button>
        </p>
      )}
      {groups.map((group) => (
        <TelemetryChart key={group.name} group={group} span={span} disturbed={disturbed} onZoom={setZoom} />
      ))}
    </div>
  );
}

interface StageBarsProps {
  readonly stages: readonly StageResult[];
  readonly disturbed: readonly DisturbedRange[];
  readonly span: readonly [number, number];
}

/** One row for each stage of each task, a last one for what disturbed them. */
export function StageBars({ stages, disturbed, span }: StageBarsProps) {
  const several = new Set(stages.map(({ task }) => task)).size > 1;
  return (
    <ul class="stage-bars" aria-label="Stages over time">
      {stages.map((stage) => {
        const { task, startedAt, durationMs, success } = stage;
        const name = several ? `${task} ${stage.stage}` : stage.stage;
        const text = `${name}: ${success ? 'succeeded' : 'failed'}, ${formatDuration(durationMs)} from ${localText(startedAt)}`;
        return (
          <li key={`${stage.kind} ${task} ${stage.stage}`} title={text}>
            <span class="bar-name">{name}</span>
            <span class="bar-room">
              <span
                class={`bar ${success ? '' : 'failed'}`}
                style={placeOf(startedAt, startedAt + durationMs, span)}
                role="img"
                aria-label={text}
              >
                {success ? '' : '✕'}
              </span>
            </span>
          </li>
        );
      })}
      {disturbed.length > 0 && (
        <li>
          <span class="bar-name">disturbed</span>
          <span class="bar-room">
            {disturbed.map(({ from, to, reason }) => (
              <span
                key={`${from} ${reason}`}
                class="bar disturbed"
                style={placeOf(from, to, span)}
                title={`${localText(from)}, ${formatDuration(to - from)}: ${reason}`}
                role="img"
                aria-label={`disturbed for ${formatDuration(to - from)}: ${reason}`}
              />
            ))}
          </span>
        </li>
      )}
    </ul>
  );
}

function placeOf(from: number, to: number, [first, last]: readonly [number, number]) {
  const part = (at: number) => Math.min(1, Math.max(0, (at - first) / (last - first)));
  const [left, right] = [part(from), part(to)];
  const isOutside = to < first || from > last;
  return {
    left: `${left * 100}%`,
    width: `${(right - left) * 100}%`,
    ...(isOutside && { display: 'none' }),
  };
}

interface TelemetryChartProps {
  readonly group: TelemetryGroup;
  readonly span: readonly [number, number];
  readonly disturbed: readonly DisturbedRange[];
  readonly onZoom: (zoom: readonly [number, number] | undefined) => void;
}

/** All lines of a group; the pointer shows the values of that time in every chart at once. */
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
