import { useMemo } from 'preact/hooks';
import { HistoryChart } from '../../../charts/page/history-chart.tsx';
import type { GroupAnalysis } from '../../core/analysis/duet-analysis.ts';
import { ratioLines } from './ratio-lines.ts';

interface Props {
  readonly group: GroupAnalysis;
  readonly onChoose: (run: number) => void;
}

/** One dot a run; the band is the interval of the ratio. A click shows the run. */
export function RunRatios({ group, onChoose }: Props) {
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
