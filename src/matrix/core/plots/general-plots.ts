import type { Chart } from '../../../charts/core/chart.ts';
import type { ChartPlot, PlotRequest } from '../../../formats/core/kpi/workload.ts';
import { type CellKeys, groupCells, varyingKeys } from './cells.ts';
import { describeBars, describeBox, describeHeatMap, describeLines } from './describe.ts';
import type { Measures } from './measure.ts';
import { scatterOf } from './scatter.ts';
import { tableStats } from './table-stats.ts';

/** Plots of one KPI (`kpi=name`) or one number of the results (`field=path`), along a setting (`x=key`). */
export function generalPlots(measures: Measures): readonly ChartPlot[] {
  const described = (request: PlotRequest) => {
    const measure = measures.chosen(request);
    return { title: titleOf(request, measure.label), measure, cfg: request.cfg, hasSpread: true };
  };
  const cells = (request: PlotRequest, isCategory: boolean) =>
    groupCells(request.entries, { ...keysOf(request), isCategory }, measures.chosen(request));
  return [
    plot('Lines', 'lines', (request) => describeLines(cells(request, false), described(request))),
    plot('Bars', 'bars', (request) => describeBars(cells(request, true), described(request))),
    plot('Box', 'box', (request) => describeBox(cells(request, true), described(request))),
    plot('Scatter', 'scatter', (request) => scatterOf(request, measures)),
    plot('Heat map', 'heat_map', (request) =>
      describeHeatMap(cells(request, true), keysOf(request).series, described(request)),
    ),
    plot('KPI Plot', 'kpi_plot', (request) => tableStats(request, described(request))),
  ];
}

/** Value, ValueDev and MeanStd of every KPI: without spread, with that of the tests, with that of all samples. */
export function statPlots({ kpis }: Measures): readonly ChartPlot[] {
  return kpis.flatMap((measure) => {
    const draw = (more: object) => (request: PlotRequest) =>
      tableStats(request, { title: titleOf(request, measure.label), measure, cfg: request.cfg, ...more });
    return [
      plot(`Value: ${measure.name}`, `value_${measure.name}`, draw({})),
      plot(`ValueDev: ${measure.name}`, `value_dev_${measure.name}`, draw({ hasSpread: true })),
      plot(
        `MeanStd: ${measure.name}`,
        `mean_std_${measure.name}`,
        draw({ hasSpread: true, pooling: 'samples' }),
      ),
    ];
  });
}

/** A KPI along the settings over which tests are compared: versions, in the order of their numbers. */
export function versionPlot(measures: Measures, comparisonKeys: readonly string[]): ChartPlot {
  return plot('KPI over versions', 'kpi_over_versions', (request) => {
    const measure = measures.chosen(request);
    const x = request.cfg['x'] === undefined ? comparisonKeys : [String(request.cfg['x'])];
    const axis = x.length > 0 ? x : ['version'];
    const series = varyingKeys(request.entries, settingKeys(request)).filter((key) => !axis.includes(key));
    const cells = groupCells(request.entries, { x: axis, series, isCategory: true }, measure);
    const title = titleOf(request, `${measure.label} over ${axis.join(', ')}`);
    return describeLines(cells, { title, measure, cfg: request.cfg, hasSpread: true });
  });
}

function plot(name: string, id: string, chart: (request: PlotRequest) => Chart): ChartPlot {
  return { name, id, isReport: false, draw: (request) => [{ type: 'chart', chart: chart(request) }] };
}

/** Along which setting, and by which others the series are told apart: the first that varies, unless `x` says another. */
function keysOf(request: PlotRequest): CellKeys {
  const vars = varyingKeys(request.entries, settingKeys(request));
  const x = request.cfg['x'] === undefined ? vars.slice(0, 1) : [String(request.cfg['x'])];
  return { x, series: vars.filter((key) => !x.includes(key)) };
}

/** The chosen order first, then whatever else the tests were set to. */
function settingKeys({ orderedVars, entries }: PlotRequest): readonly string[] {
  return [...new Set([...orderedVars, ...entries.flatMap(({ settings }) => Object.keys(settings))])];
}

function titleOf({ cfg }: PlotRequest, otherwise: string): string {
  return cfg['title'] === undefined ? otherwise : String(cfg['title']);
}
