import { type Curve, curveFromJson } from '../../../charts/core/curves/curve.ts';
import { curveChart } from '../../../charts/core/curves/curve-chart.ts';
import { gatheredSettings, identityOf, type MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { ChartPlot, PlotRequest } from '../../../formats/core/kpi/workload.ts';
import { isJsonObject } from '../../../platform/core/text/json.ts';
import { curveName, curvesOf } from '../workload/curve-plots.ts';
import { varyingKeys } from './cells.ts';

/** A curve of the results ({x, y}, or a list of them), also of workloads that declare none: `field=name` selects it. */
export const learningCurves: ChartPlot = {
  name: 'Learning curves',
  id: 'learning_curves',
  isReport: false,
  draw(request) {
    const field = chosenField(request);
    if (field === undefined) return [{ type: 'text', text: NO_CURVE }];
    const title = request.cfg['title'] === undefined ? field : String(request.cfg['title']);
    const chart = curveChart(groupsOf(request, field), { title, xLabel: 'x', yLabel: field });
    return [{ type: 'chart', chart }];
  },
};

const NO_CURVE =
  'No test has a learning curve among its results. A workload reads one with "return: { file: progress.csv, curve: { x: TotalEnvSteps, y: Return } }".';

/** Gathers repetitions that the selection did not gather: a line for each seed is not readable. */
function groupsOf({ entries, orderedVars }: PlotRequest, field: string) {
  const groups = new Map<string, { first: MatrixEntry; curves: Curve[] }>();
  for (const entry of entries) {
    const settings = gatheredSettings(entry.settings) ?? entry.settings;
    const group = groups.get(identityOf(settings));
    if (group) group.curves.push(...curvesOf(entry, field));
    else
      groups.set(identityOf(settings), {
        first: { ...entry, settings },
        curves: [...curvesOf(entry, field)],
      });
  }
  const firsts = [...groups.values()].map(({ first }) => first);
  const keys = varyingKeys(firsts, [
    ...new Set([...orderedVars, ...firsts.flatMap(({ settings }) => Object.keys(settings))]),
  ]);
  return [...groups.values()].map(({ first, curves }) => ({ name: curveName(first, keys), curves }));
}

function chosenField({ cfg, entries }: PlotRequest): string | undefined {
  if (cfg['field'] !== undefined) return String(cfg['field']);
  const members = entries.flatMap((entry) => entry.gathered?.members ?? [entry]);
  for (const { results } of members) {
    for (const [name, value] of Object.entries(results)) {
      const one = Array.isArray(value) ? value[0] : value;
      if (isJsonObject(one) && curveFromJson(one)) return name;
    }
  }
  return undefined;
}
