import type { Chart, ScatterChart } from '../../../charts/core/chart.ts';
import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { PlotRequest } from '../../../formats/core/kpi/workload.ts';
import { cellValue } from './cell-value.ts';
import { groupCells, splitBy, varyingKeys } from './cells.ts';
import { type Description, describeBars, describeLines, directionOf, valueAxis } from './describe.ts';

/** Beyond this many sub-plots a figure is a wall. */
const MAX_PANELS = 12;

/**
 * The chart that suits the number of settings that vary: up to two, groups of bars; three or four, lines with bands, a
 * sub-plot for each value of the first; more, points in the order of their values. The last setting is the legend.
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
