import type { ChartPlot, Workload } from '../../../formats/core/kpi/workload.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';
import { generalPlots, statPlots, versionPlot } from './general-plots.ts';
import { kpiPlotReport, kpiTableReport } from './kpi-reports.ts';
import { learningCurves } from './learning-curves.ts';
import { ltsDocumentation } from './lts-documentation.ts';
import { measuresOf } from './measure.ts';

/** Every plot that has a name and id, and those that are drawn by default. */
export interface WorkloadPlots {
  readonly all: readonly ChartPlot[];
  readonly usual: readonly ChartPlot[];
  /** Plots that the workload requests and that do not exist, one sentence each. */
  readonly problems: readonly string[];
}

export function workloadPlots(workload: Workload): WorkloadPlots {
  const stock = stockPlots(workload);
  const available = [...workload.plots, ...stock];
  const problems: string[] = [];
  const chosen = (workload.chosenPlots ?? []).flatMap(({ plot, options }, index) => {
    const base = available.find(({ id, name }) => id === plot || name === plot);
    if (base) return [withOptions(base, options, { index, workload })];
    const close = nearest(
      plot,
      available.map(({ id }) => id),
    );
    problems.push(
      `the workload requests an unknown plot "${plot}"${close === undefined ? '' : `; did you mean ${close}?`}`,
    );
    return [];
  });
  const usual = [...chosen, ...workload.plots, ...stock.filter(({ isReport }) => isReport)];
  return { all: [...chosen, ...available], usual, problems };
}

/** The plot with this name or id. */
export function findPlot(plots: readonly ChartPlot[], wanted: string): ChartPlot {
  const found =
    plots.find(({ name }) => name === wanted) ??
    plots.find(({ id }) => id === wanted) ??
    plots.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found) return found;
  const names = plots.map(({ name }) => name);
  const close = nearest(wanted, [...names, ...plots.map(({ id }) => id)]);
  throw new NightmarkError('CHART_UNKNOWN_PLOT', `There is no plot "${wanted}".`, {
    hint: close === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${close}"?`,
  });
}

interface Chosen {
  readonly index: number;
  readonly workload: Workload;
}

/** A stock plot with the options of the workload file, under its own name and id; the query overrides the options. */
function withOptions(base: ChartPlot, options: JsonObject, { index, workload }: Chosen): ChartPlot {
  const { name, id, ...rest } = options;
  const cfg = configOf(rest, workload);
  const title = cfg['title'];
  return {
    ...base,
    name: String(name ?? title ?? `${base.name} ${index + 1}`),
    id: String(id ?? `${base.id}_${index + 1}`),
    draw: (request) => base.draw({ ...request, cfg: { ...cfg, ...request.cfg } }),
  };
}

/** "y" is a KPI where there is one of that name, and otherwise a field of the results. */
function configOf({ y, ...rest }: JsonObject, { kpis }: Workload): Record<string, string | number> {
  const isKpi = kpis.some(({ definition }) => definition.name === y);
  const all = y === undefined ? rest : { ...(isKpi ? { kpi: y } : { field: y }), ...rest };
  return Object.fromEntries(
    Object.entries(all).map(([key, value]) => [
      key,
      typeof value === 'number' ? value : typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** The plots and reports that every workload has, without its own (`workload.plots`). */
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
