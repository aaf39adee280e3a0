import type { Chart, ScatterChart } from '../../../charts/core/chart.ts';
import { chartRange, withRange } from '../../../charts/core/extent.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { mean } from '../../../stats/summary.ts';
import {
  type Description,
  describeBars,
  describeBox,
  describeHeatMap,
  describeLines,
  valueAxis,
} from '../plots/describe-chart.ts';
import { valueLabel } from './explorer-view.ts';
import { pivotOf, pivotTable } from './pivot.ts';
import { type ExplorerView, valueIndexes, valuesByRow } from './suggest-view.ts';
import {
  type AxisValues,
  countWithoutValue,
  kpiTitle,
  numbersOf,
  pointName,
  splitRows,
  tableCells,
} from './table-cells.ts';

/** A figure with more charts is not readable. */
const MAX_PANELS = 16;

/** The chart of a view: the page draws it itself, the server as SVG and PNG. */
export function exploreChart(view: ExplorerView): Chart {
  const chart = view.chart === 'table' ? pivotTable(view, pivotOf(view)) : figureOf(view);
  const notes = [...(chart.notes ?? []), ...notesOf(view)];
  return notes.length === 0 ? chart : { ...chart, notes };
}

function figureOf(view: ExplorerView): Chart {
  const { selection, axes } = view;
  const used = axes.map((setting) => ({ setting, indexes: valueIndexes(setting, selection.rows) }));
  // The x axis of a scatter is a KPI.
  const [x, colour, columns, rows] = view.chart === 'scatter' ? [undefined, ...used] : used;
  const draw = (own: readonly number[], title: string) => drawOne(view, { rows: own, title, x, colour });
  if (columns === undefined) return draw(selection.rows, titleOf(view));
  const lines = rows === undefined ? [{ name: '', rows: selection.rows }] : splitRows(rows, selection.rows);
  const panels = lines.flatMap((line) =>
    splitRows(columns, line.rows).map((column) => ({
      title: line.name === '' ? column.name : `${column.name}, ${line.name}`,
      rows: column.rows,
    })),
  );
  const shown = panels.slice(0, MAX_PANELS);
  const drawn = shown.map((panel) => draw(panel.rows, panel.title));
  const charts = drawn.map(withoutNotes);
  const left = panels.length - shown.length;
  const notes = [
    ...sharedNotes(drawn),
    ...(left > 0
      ? [`Not drawn, as it would be too many: ${counted(left, 'chart')}. Choose some values.`]
      : []),
  ];
  return {
    type: 'panels',
    title: titleOf(view),
    columns: Math.min(columns.indexes.length, 4),
    charts: withRange(charts, chartRange(charts)),
    notes,
  };
}

function withoutNotes(chart: Chart): Chart {
  const { notes: _, ...rest } = chart;
  return rest as Chart;
}

/** Notes that hold for all panels are shown once, below the figure. */
function sharedNotes(charts: readonly Chart[]): readonly string[] {
  const notes = charts.flatMap((chart) => chart.notes ?? []);
  return [
    ...new Set(notes.map((note) => note.replace(/^(Marked with a cross): \d.*$/, '$1: no value there.'))),
  ];
}

interface Part {
  readonly rows: readonly number[];
  readonly title: string;
  readonly x: AxisValues | undefined;
  readonly colour: AxisValues | undefined;
}

function drawOne(view: ExplorerView, part: Part): Chart {
  if (view.chart === 'scatter') return scatterOf(view, part);
  const { kpi, xScale, yScale, spread } = view;
  const cfg = { 'x-scale': xScale, 'y-scale': yScale, scale: yScale };
  const { name, unit, better } = kpi;
  const description: Description = {
    title: part.title,
    measure: { name, label: kpiTitle(kpi), unit, better, values: () => [] },
    cfg,
    ...(spread !== 'none' && { hasSpread: true, spread }),
  };
  const cells = tableCells(kpi, part.rows, { ...part, isCategory: view.chart !== 'lines' });
  if (view.chart === 'bars') return describeBars(cells, description);
  if (view.chart === 'box') return describeBox(cells, description);
  if (view.chart === 'lines') return describeLines(cells, description);
  return describeHeatMap(cells, part.colour ? [part.colour.setting.name] : [], description);
}

/** A point for each test: one KPI against another. */
function scatterOf(view: ExplorerView, { rows, title, colour }: Part): ScatterChart {
  const { kpi, against, xScale, yScale } = view;
  const [x, y] = [meanByRow(against), meanByRow(kpi)];
  const groups = colour ? splitRows(colour, rows) : [{ name: '', rows }];
  const named = [...view.axes, ...view.averaged].slice(0, 8);
  const measure = { ...kpi, label: kpiTitle(kpi), values: () => [] };
  return {
    type: 'scatter',
    title,
    x: { label: kpiTitle(against), unit: against.unit, ...(xScale === 'log' && { scale: 'log' }) },
    y: valueAxis({ measure, cfg: { 'y-scale': yScale } }, false),
    series: groups.map((group) => ({
      name: group.name,
      x: group.rows.map(x),
      y: group.rows.map(y),
      labels: group.rows.map((row) => pointName(named, row)),
    })),
  };
}

function meanByRow(kpi: ExplorerView['kpi']): (row: number) => number {
  const valueAt = valuesByRow(kpi);
  return (row) => {
    const values = numbersOf(valueAt(row));
    return values.length === 0 ? Number.NaN : mean(values);
  };
}

function titleOf({ kpi, against, chart }: ExplorerView): string {
  return chart === 'scatter' ? `${kpiTitle(kpi)} against ${kpiTitle(against)}` : kpiTitle(kpi);
}

/** What a reader of the picture alone must know. */
function notesOf(view: ExplorerView): readonly string[] {
  const { averaged, selection, hasFailed, chosen, kpi } = view;
  const fixed = [...chosen].map(([setting, indexes]) => {
    const texts = [...indexes].sort((a, b) => a - b).map((index) => valueLabel(setting, index));
    return `${setting.name}=${texts.join(' or ')}`;
  });
  const without = countWithoutValue(kpi, selection.rows);
  const failed = counted(selection.failed.length, 'failed test');
  return [
    ...(fixed.length > 0 ? [`Only ${fixed.join(', ')}.`] : []),
    ...(averaged.length > 0 && view.chart !== 'scatter'
      ? [`Averaged over ${averaged.map(({ name }) => name).join(', ')}.`]
      : []),
    ...(without > 0 ? [`${counted(without, 'test')} without a value.`] : []),
    ...(selection.failed.length > 0 ? [`${failed} ${hasFailed ? 'among them' : 'left out'}.`] : []),
  ];
}
