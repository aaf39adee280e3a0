import type { PlotPart } from '../../../charts/core/chart.ts';
import type { ChartPlot, PlotRequest } from '../../../formats/core/kpi/workload.ts';
import { directionOf } from './describe.ts';
import type { Measure, Measures } from './measure.ts';
import { tableStats } from './table-stats.ts';

/** Each KPI in a chart of its own, with what it means and which side is better. */
export function kpiPlotReport({ kpis }: Measures): ChartPlot {
  return {
    name: 'report: KPI Plot Report',
    id: 'kpi_plot_report',
    isReport: true,
    draw: (request) => [
      { type: 'heading', level: 1, text: 'KPI Plot Report' },
      ...(kpis.length === 0 ? [{ type: 'text', text: 'The workload has no KPIs.' } as const] : []),
      ...kpis.flatMap((kpi) => section(kpi, request)),
    ],
  };
}

function section(measure: Measure, request: PlotRequest): readonly PlotPart[] {
  const { subtitle } = directionOf(measure);
  const unit = measure.unit === '' ? '' : `, in ${measure.unit}`;
  const chart = tableStats(request, { title: measure.label, measure, cfg: request.cfg, hasSpread: true });
  return [
    { type: 'heading', level: 2, text: measure.name },
    { type: 'text', text: `${measure.label}${unit}.${subtitle === undefined ? '' : ` ${subtitle}.`}` },
    { type: 'chart', chart },
  ];
}
