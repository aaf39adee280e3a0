import { useMemo } from 'preact/hooks';
import { HistoryChart } from '../../../charts/page/history-chart.tsx';
import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import { useZoom } from '../../../platform/page/data/zoom.ts';
import type { DuetRunView } from '../../app/read-duet-group.ts';
import type { GroupAnalysis } from '../../core/analysis/duet-analysis.ts';
import { ratioLines } from './ratio-lines.ts';

/** Every pair of a run: which iterations met, and the ratio of their times. */
export function PairRatios({ run, group }: { readonly run: DuetRunView; readonly group: GroupAnalysis }) {
  const [zoom, setZoom] = useZoom('pairs');
  const { pairs, A, B, isByNumber } = run;
  const series = useMemo(() => ratioLines(pairs.ratios, group, 'pair'), [pairs, group]);
  if (pairs.ratios.length === 0) return <p class="quiet">No iterations of this run could be paired.</p>;
  const describe = (place: number) => {
    const [a, b] = [pairs.a[place] ?? -1, pairs.b[place] ?? -1];
    const text = (lane: DuetRunView['A'], at: number) =>
      `${lane?.numbers[at]}: ${formatNumber((lane?.times[at] ?? Number.NaN) / 1e6, 's')}`;
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
