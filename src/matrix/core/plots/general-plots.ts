import type { Chart, ScatterChart } from '../../../charts/core/chart.ts';
import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { ChartPlot, PlotRequest } from '../../../formats/core/kpi/workload.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import { type CellKeys, cellValue, groupCells, splitBy, varyingKeys } from './cells.ts';
import {
  type Description,
  describeBars,
  describeBox,
  describeHeatMap,
  describeLines,
  directionOf,
  valueAxis,
} from './describe-chart.ts';
import type { Measures } from './measure.ts';

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

/** x: the first setting that varies, or `x`; the other settings that vary distinguish the series. */
function keysOf(request: PlotRequest): CellKeys {
  const vars = varyingKeys(request.entries, settingKeys(request));
  const x = request.cfg['x'] === undefined ? vars.slice(0, 1) : [String(request.cfg['x'])];
  return { x, series: vars.filter((key) => !x.includes(key)) };
}

/** The requested order first, then all other settings. */
function settingKeys({ orderedVars, entries }: PlotRequest): readonly string[] {
  return [...new Set([...orderedVars, ...entries.flatMap(({ settings }) => Object.keys(settings))])];
}

function titleOf({ cfg }: PlotRequest, otherwise: string): string {
  return cfg['title'] === undefined ? otherwise : String(cfg['title']);
}

/** One measure against another (`x-kpi`, `y-kpi`), a point for each entry, coloured by the last setting that varies. */
function scatterOf(request: PlotRequest, measures: Measures): ScatterChart {
  const { entries, cfg, orderedVars } = request;
  const x = measures.chosen(request, 'x-kpi', 0);
  const y = measures.chosen(request, 'y-kpi', 1);
  const vars = varyingKeys(entries, orderedVars);
  const legend = cfg['legend'] === undefined ? vars.at(-1) : String(cfg['legend']);
  const groups = legend === undefined ? [{ name: '', entries }] : splitBy(entries, legend);
  const at = (measure: typeof x, entry: (typeof entries)[number]) =>
    cellValue(
      measure.values(entry).filter((values) => values.length > 0),
      'tests',
    ).mean;
  return {
    type: 'scatter',
    title: cfg['title'] === undefined ? `${y.label} against ${x.label}` : String(cfg['title']),
    x: { label: x.label, unit: x.unit, ...(cfg['x-scale'] === 'log' && { scale: 'log' as const }) },
    y: valueAxis({ measure: y, cfg }, false),
    series: groups.map((group) => ({
      name: group.name,
      x: group.entries.map((entry) => at(x, entry)),
      y: group.entries.map((entry) => at(y, entry)),
      labels: group.entries.map(({ settings }) =>
        vars.map((key) => `${key}=${settingText(settings[key] ?? null)}`).join(', '),
      ),
    })),
  };
}

/** A figure with more sub-plots is not readable. */
const MAX_PANELS = 12;

/**
 * The chart depends on how many settings vary: up to two, groups of bars; three or four, lines with bands, a sub-plot for
 * each value of the first; more, points sorted by value. The last setting is the legend.
 */
export function tableStats({ entries, orderedVars }: PlotRequest, description: Description): Chart {
  const vars = varyingKeys(entries, orderedVars);
  if (vars.length >= 5) return sortedPoints(entries, vars, description);
  if (vars.length >= 3) return subPlots(entries, vars, description);
  const keys = { x: vars.slice(0, 1), series: vars.slice(1), isCategory: true };
  return describeBars(groupCells(entries, keys, description.measure), description);
}

function subPlots(entries: readonly MatrixEntry[], vars: readonly string[], description: Description): Chart {
  const [first = '', x = '', ...series] = vars;
  const groups = splitBy(entries, first);
  const charts = groups.slice(0, MAX_PANELS).map((group) => {
    const cells = groupCells(group.entries, { x: [x], series }, description.measure);
    return describeLines(cells, { ...description, title: group.name });
  });
  const left = groups.slice(MAX_PANELS).map(({ name }) => name);
  const notes =
    left.length === 0
      ? {}
      : { notes: [`Not drawn, as it would be too many: ${left.join('; ')}. Choose some of them.`] };
  return { type: 'panels', title: description.title, charts, ...notes };
}

function sortedPoints(
  entries: readonly MatrixEntry[],
  vars: readonly string[],
  description: Description,
): ScatterChart {
  const legend = vars.slice(-1);
  const { measure, pooling = 'tests', title } = description;
  const points = groupCells(entries, { x: [], series: vars }, measure).series.map(({ name, tests }) => ({
    name,
    value: cellValue(tests.flat(), pooling).mean,
  }));
  const ranked = points.filter(({ value }) => Number.isFinite(value)).sort((a, b) => a.value - b.value);
  const series = groupCells(entries, { x: [], series: legend }, measure).series.map(({ name }) => {
    const own = [...ranked.entries()].filter(([, point]) => point.name.endsWith(name));
    return {
      name,
      x: own.map(([rank]) => rank + 1),
      y: own.map(([, { value }]) => value),
      labels: own.map(([, point]) => point.name),
    };
  });
  const lost = points.length - ranked.length;
  const notes = lost === 0 ? {} : { notes: [`Without a value: ${lost} of ${points.length}.`] };
  const y = valueAxis(description, true);
  return {
    type: 'scatter',
    title,
    ...directionOf(measure),
    x: { label: 'rank by value' },
    y,
    series,
    ...notes,
  };
}
