import type { ChartPlot, Workload } from '../../../formats/core/kpi/workload.ts';
import { generalPlots, statPlots, versionPlot } from './general-plots.ts';
import { kpiPlotReport } from './kpi-plot-report.ts';
import { kpiTableReport } from './kpi-table-report.ts';
import { learningCurves } from './learning-curves.ts';
import { ltsDocumentation } from './lts-documentation.ts';
import { measuresOf } from './measure.ts';

/** The plots and reports that every workload has. Those of the workload itself (`workload.plots`) are not among them. */
export function stockPlots(workload: Workload): readonly ChartPlot[] {
  const measures = measuresOf(workload);
  const definitions = workload.kpis.map(({ definition }) => definition);
  return [
    ...generalPlots(measures),
    versionPlot(measures, workload.comparison.comparisonKeys),
    learningCurves,
    ...statPlots(measures),
    kpiTableReport('settings', definitions, measures),
    kpiTableReport('labels', definitions, measures),
    kpiPlotReport(measures),
    ltsDocumentation(workload, measures),
  ];
}
