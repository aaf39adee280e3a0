import { useMemo } from 'preact/hooks';
import UPlot from 'uplot';
import { faded, hueColour, tokenColour } from '../../../charts/page/colours.ts';
import { Plot, type PlotOptions } from '../../../charts/page/plot.tsx';
import { counted } from '../../../platform/core/text/numbers.ts';
import { digits } from '../../core/analysis/group-text.ts';
import type { RatioBins } from '../../core/analysis/pair-ratios.ts';

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
