import { useMemo, useState } from 'preact/hooks';
import type UPlot from 'uplot';
import { faded, hueColour, tokenColour } from '../../charts/page/colours.ts';
import { Plot, type PlotOptions } from '../../charts/page/plot.tsx';
import { counted, formatDuration, formatNumber } from '../../platform/core/text/numbers.ts';
import { Minute } from '../../platform/page/parts/time.tsx';
import { useZoom } from '../../platform/page/router/address.ts';
import type { DuetRunView, DuetTrack } from '../app/read-duet-group.ts';
import { iterationAt, trackEnd } from './track-search.ts';

const HEIGHT = 150;

/** When each iteration of both sides ran: A above B, what was compared shaded. Dragging zooms. */
export function IterationTimeline({ run }: { readonly run: DuetRunView }) {
  const [zoom, setZoom] = useZoom('lanes');
  const [below, setBelow] = useState<string>();
  const end = Math.max(run.A ? trackEnd(run.A) : 0, run.B ? trackEnd(run.B) : 0) / 1e6;
  const data = useMemo(
    (): UPlot.AlignedData => [
      [0, end],
      [null, null],
    ],
    [end],
  );
  const options = useMemo(
    () => () =>
      timelineOptions(run, {
        onZoom: (range) => setZoom(range),
        onHover: (side, seconds) => setBelow(side && iterationCaption(run, side, seconds)),
      }),
    [run],
  );
  if (end === 0) {
    return <p class="quiet">The harness does not report when its iterations ran: there is no timeline.</p>;
  }
  const label = `Timeline: ${counted(run.A?.times.length ?? 0, 'iteration')} of A above ${counted(run.B?.times.length ?? 0, 'iteration')} of B`;
  return (
    <figure>
      <figcaption>
        Iterations over time, A above B, warm-up pale{run.isByNumber ? '' : ', overlaps shaded'};{' '}
        {formatDuration(end * 1000)}
        {run.startedAt !== undefined && (
          <>
            {' '}
            from <Minute at={run.startedAt} />
          </>
        )}{' '}
        {zoom && (
          <button type="button" class="small" onClick={() => setZoom(undefined)}>
            show everything
          </button>
        )}
      </figcaption>
      <Plot label={label} height={HEIGHT} data={data} options={options} zoom={zoom} />
      <p class="quiet below">{below ?? 'Point at an iteration; drag to zoom.'}</p>
      {run.leftOut > 0 && (
        <p class="quiet">{counted(run.leftOut, 'iteration or pair', 'iterations and pairs')} not drawn.</p>
      )}
    </figure>
  );
}

/** "A 12: 9.20 ms, warm-up". */
function iterationCaption(run: DuetRunView, side: 'A' | 'B', seconds: number): string | undefined {
  const track = run[side];
  const place = track ? iterationAt(track, seconds * 1e6) : -1;
  if (!track || place < 0) return undefined;
  const time = formatNumber((track.times[place] ?? Number.NaN) / 1e6, 's');
  if (place < track.warmup) return `${side} ${track.numbers[place]}: ${time}, warm-up`;
  const own = side === 'A' ? run.pairs.a : run.pairs.b;
  const partners = own.reduce((count, one) => count + Number(one === place), 0);
  return `${side} ${track.numbers[place]}: ${time}, in ${counted(partners, 'pair')}`;
}

interface TimelineEvents {
  /** Seconds after the first start. */
  readonly onZoom: (zoom: readonly [number, number] | undefined) => void;
  readonly onHover: (side: 'A' | 'B' | undefined, seconds: number) => void;
}

const FONT = '12px system-ui, sans-serif';

/** Options of the chart: it has no lines of its own, everything is drawn over an empty one. */
function timelineOptions(run: DuetRunView, { onZoom, onHover }: TimelineEvents): PlotOptions {
  const [text, rule] = [tokenColour('--quiet'), tokenColour('--rule')];
  const axis = { stroke: text, ticks: { show: false }, font: FONT, labelFont: FONT };
  return {
    legend: { show: false },
    scales: { x: { time: false }, y: { range: [0, 2] } },
    axes: [
      { ...axis, grid: { stroke: rule, width: 1 }, label: 'seconds', labelSize: 22 },
      {
        ...axis,
        ...{ grid: { show: false }, size: 34 },
        splits: () => [0.5, 1.5],
        values: () => ['B', 'A'],
      },
    ],
    series: [{}, { label: 'iterations', points: { show: false } }],
    cursor: {
      ...{ drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
      bind: { dblclick: () => () => clear(onZoom) },
    },
    hooks: {
      draw: [(plot) => drawTracks(plot, run)],
      setSelect: [(plot) => select(plot, onZoom)],
      setCursor: [(plot) => hover(plot, onHover)],
    },
  };
}

/** uPlot's own way would leave the address as it is. */
function clear(onZoom: TimelineEvents['onZoom']): null {
  onZoom(undefined);
  return null;
}

function select(plot: UPlot, onZoom: TimelineEvents['onZoom']): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const ends = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')] as const;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  const [from, to] = ends.map((end) => Number(end.toPrecision(7)));
  if (from !== undefined && to !== undefined) onZoom([from, to]);
}

function hover(plot: UPlot, onHover: TimelineEvents['onHover']): void {
  const { left = -1, top = -1 } = plot.cursor;
  if (left < 0 || top < 0) onHover(undefined, 0);
  else onHover(plot.posToVal(top, 'y') >= 1 ? 'A' : 'B', plot.posToVal(left, 'x'));
}

function drawTracks(plot: UPlot, run: DuetRunView): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  if (!run.isByNumber) drawOverlaps(plot, run);
  const height = bbox.height / 2 - 14 * devicePixelRatio;
  const middle = bbox.top + bbox.height / 2;
  const gap = 4 * devicePixelRatio;
  if (run.A) drawTrack(plot, run.A, { top: middle - gap - height, height, colour: hueColour(0) });
  if (run.B) drawTrack(plot, run.B, { top: middle + gap, height, colour: hueColour(1) });
  ctx.restore();
}

/** From the upper edge to the lower one, where two that are a pair ran at once. */
function drawOverlaps(plot: UPlot, { A, B, pairs }: DuetRunView): void {
  const { ctx, bbox } = plot;
  if (!A?.starts || !B?.starts) return;
  ctx.fillStyle = faded(tokenColour('--hue-3'), 0.22);
  for (const [place, a] of pairs.a.entries()) {
    const b = pairs.b[place] ?? 0;
    const [startA = 0, startB = 0] = [A.starts[a], B.starts[b]];
    const from = Math.max(startA, startB);
    const to = Math.min(startA + (A.times[a] ?? 0), startB + (B.times[b] ?? 0));
    const [left, right] = [xOf(plot, from), xOf(plot, to)];
    if (right < bbox.left || left > bbox.left + bbox.width) continue;
    ctx.fillRect(left, bbox.top, Math.max(0.5, right - left), bbox.height);
  }
}

interface TrackStyle {
  readonly top: number;
  readonly height: number;
  readonly colour: string;
}

function drawTrack(plot: UPlot, { starts = [], times, warmup }: DuetTrack, look: TrackStyle): void {
  const { ctx, bbox } = plot;
  const pale = faded(look.colour, 0.35);
  for (const [place, start] of starts.entries()) {
    const [left, right] = [xOf(plot, start), xOf(plot, start + (times[place] ?? 0))];
    if (right < bbox.left || left > bbox.left + bbox.width) continue;
    ctx.fillStyle = place < warmup ? pale : look.colour;
    // A little room between neighbours, where there is any.
    const width = right - left;
    ctx.fillRect(left, look.top, width > 3 ? width - 1 : Math.max(0.5, width), look.height);
  }
}

function xOf(plot: UPlot, micros: number): number {
  return plot.valToPos(micros / 1e6, 'x', true);
}
