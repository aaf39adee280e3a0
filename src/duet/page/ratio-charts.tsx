import { useMemo } from 'preact/hooks';
import UPlot from 'uplot';
import { faded, hueColour, tokenColour } from '../../charts/page/colours.ts';
import { HistoryChart } from '../../charts/page/history-chart.tsx';
import { type HistorySeries, withDots } from '../../charts/page/history-data.ts';
import { Plot, type PlotOptions } from '../../charts/page/plot.tsx';
import { counted, formatNumber } from '../../platform/core/text/numbers.ts';
import { useZoom } from '../../platform/page/router/address.ts';
import type { DuetRunView } from '../app/read-duet-group.ts';
import type { GroupAnalysis } from '../core/analysis/duet-analysis.ts';
import { digits } from '../core/analysis/group-text.ts';
import type { RatioBins } from '../core/analysis/pair-ratios.ts';

interface RunRatiosProps {
  readonly group: GroupAnalysis;
  readonly onChoose: (run: number) => void;
}

/** One dot a run; the band is the interval of the ratio. A click shows the run. */
export function RunRatios({ group, onChoose }: RunRatiosProps) {
  const series = useMemo(() => {
    const ratios = group.runs.map(({ logRatio }) =>
      logRatio === undefined ? Number.NaN : Math.exp(logRatio),
    );
    return ratioLines(ratios, group, 'run');
  }, [group]);
  return (
    <HistoryChart
      series={series}
      yTitle="B / A"
      stepTitle="run"
      height={220}
      onPick={({ series: { name }, index }) => {
        if (name === 'run') onChoose(index);
      }}
    />
  );
}

/** Every pair of a run: which iterations met, and the ratio of their times. */
export function PairRatios({ run, group }: { readonly run: DuetRunView; readonly group: GroupAnalysis }) {
  const [zoom, setZoom] = useZoom('pairs');
  const { pairs, A, B, isByNumber } = run;
  const series = useMemo(() => ratioLines(pairs.ratios, group, 'pair'), [pairs, group]);
  if (pairs.ratios.length === 0) return <p class="quiet">No iterations of this run could be paired.</p>;
  const describe = (place: number) => {
    const [a, b] = [pairs.a[place] ?? -1, pairs.b[place] ?? -1];
    const text = (track: DuetRunView['A'], at: number) =>
      `${track?.numbers[at]}: ${formatNumber((track?.times[at] ?? Number.NaN) / 1e6, 's')}`;
    return (
      <>
        <div>A {text(A, a)}</div>
        <div>B {text(B, b)}</div>
      </>
    );
  };
  return (
    <figure>
      <figcaption>
        {counted(pairs.ratios.length, 'pair')}, made by{' '}
        {isByNumber ? 'the number of the iteration' : 'overlap in time'}; the band is the interval of the
        whole comparison
      </figcaption>
      <HistoryChart
        series={series}
        yTitle="B / A"
        stepTitle="pair"
        height={220}
        zoom={zoom}
        onZoom={setZoom}
        describe={({ series: { name }, index }) => (name === 'pair' ? describe(index) : name)}
      />
    </figure>
  );
}

/** Ratios as dots by their place, with the estimate and its interval, and the line of no difference. */
function ratioLines(
  ratios: readonly number[],
  { judgement: { effect } }: GroupAnalysis,
  name: string,
): readonly HistorySeries[] {
  const places = ratios.map((_, place) => place);
  const flat = (value: number) => places.map(() => value);
  // An interval without an end has no band that could be drawn.
  const hasBand = effect !== undefined && Number.isFinite(effect.high) && effect.low > 0;
  const lines: readonly HistorySeries[] = [
    { name: 'no difference', times: places, values: flat(1), hue: 7, isBackdrop: true },
    ...(effect
      ? [
          {
            ...{ name: 'estimate', times: places, values: flat(effect.ratio), hue: 1, isBackdrop: true },
            ...(hasBand && { low: flat(effect.low), high: flat(effect.high) }),
          },
        ]
      : []),
  ];
  return withDots(lines, { name, times: places, values: ratios, hue: 0, isDots: true });
}

/** The distribution of the ratios of all pairs; the line is no difference. */
export function RatioBars({ bins }: { readonly bins: RatioBins }) {
  const data = useMemo((): UPlot.AlignedData => [[...centres(bins)], [...bins.counts]], [bins]);
  const options = useMemo(() => () => optionsOf(bins), [bins]);
  const outside = bins.below + bins.above;
  const pairs = bins.counts.reduce((sum, count) => sum + count, outside);
  const label = `${counted(pairs, 'pair')} between ${digits(bins.from)} and ${digits(bins.to)}`;
  return (
    <>
      <Plot
        label={label}
        height={220}
        data={data}
        options={options}
        zoom={[Math.log(bins.from), Math.log(bins.to)]}
      />
      {outside > 0 && (
        <p class="quiet">
          {counted(outside, 'pair')} further out: {bins.below} below, {bins.above} above.
        </p>
      )}
    </>
  );
}

/** Bins are even in the logarithm, and so is the axis. */
function centres({ from, to, counts }: RatioBins): readonly number[] {
  const step = Math.log(to / from) / counts.length;
  return counts.map((_, bin) => Math.log(from) + step * (bin + 0.5));
}

function optionsOf({ counts }: RatioBins): PlotOptions {
  const [text, rule, colour] = [tokenColour('--quiet'), tokenColour('--rule'), hueColour(0)];
  const font = '12px system-ui, sans-serif';
  const axis = {
    stroke: text,
    grid: { stroke: rule, width: 1 },
    ticks: { show: false },
    font,
    labelFont: font,
  };
  const bars = UPlot.paths.bars?.({ size: [0.92, 60] });
  return {
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: { range: [0, Math.max(1, ...counts) * 1.06] } },
    axes: [
      {
        ...axis,
        ...{ label: 'B / A', labelSize: 22 },
        values: (_plot, splits) => splits.map((log) => digits(Math.exp(log))),
      },
      { ...axis, label: 'pairs', labelSize: 22, size: 56 },
    ],
    series: [
      {},
      {
        label: 'pairs',
        stroke: colour,
        fill: faded(colour, 0.5),
        ...(bars && { paths: bars }),
        points: { show: false },
      },
    ],
    hooks: { draw: [drawOne] },
  };
}

function drawOne({ ctx, bbox, valToPos }: UPlot): void {
  const x = valToPos(0, 'x', true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.strokeStyle = tokenColour('--text');
  ctx.setLineDash([4, 3]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
