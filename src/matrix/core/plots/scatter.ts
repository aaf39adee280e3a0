import type { ScatterChart } from '../../../charts/core/chart.ts';
import type { PlotRequest } from '../../../formats/core/kpi/workload.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import { cellValue } from './cell-value.ts';
import { splitBy, varyingKeys } from './cells.ts';
import { valueAxis } from './describe.ts';
import type { Measures } from './measure.ts';

/** One measure against another (`x-kpi`, `y-kpi`), a point for each entry, coloured by the last setting that varies. */
export function scatterOf(request: PlotRequest, measures: Measures): ScatterChart {
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
