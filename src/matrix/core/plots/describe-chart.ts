import type { Axis, BarChart, BoxChart, HeatMap, LineChart, LineSeries } from '../../../charts/core/chart.ts';
import type { PlotRequest } from '../../../formats/core/kpi/workload.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { studentQuantile } from '../../../stats/distributions.ts';
import { type Cells, type CellValue, cellValue, type Pooling } from './cells.ts';
import type { Measure } from './measure.ts';

export interface Description {
  readonly title: string;
  readonly measure: Measure;
  readonly cfg: PlotRequest['cfg'];
  readonly pooling?: Pooling;
  /** Whether the spread is drawn. */
  readonly hasSpread?: boolean;
  /** One standard deviation to each side (default), or the 95 % interval of the mean (Student's t). */
  readonly spread?: 'deviation' | 'interval';
}

/** Lines with bands of one deviation. */
export function describeLines(cells: Cells, description: Description): LineChart {
  const values = valuesOf(cells, description);
  return {
    type: 'lines',
    ...frame(description, values),
    x: scaled(cells.x, description.cfg['x-scale']),
    y: valueAxis(description, true),
    series: cells.series.map(
      ({ name }, row): LineSeries => ({
        name,
        x: cells.positions,
        y: (values[row] ?? []).map(({ mean }) => mean),
        ...edges(values[row] ?? [], description),
      }),
    ),
  };
}

/** Groups of bars with error bars of one deviation. */
export function describeBars(cells: Cells, description: Description): BarChart {
  const values = valuesOf(cells, description);
  return {
    type: 'bars',
    ...frame(description, values),
    x: cells.x,
    y: valueAxis(description, true),
    series: cells.series.map(({ name }, row) => ({
      name,
      values: (values[row] ?? []).map(({ mean }) => mean),
      ...edges(values[row] ?? [], description),
    })),
  };
}

export function describeBox(cells: Cells, description: Description): BoxChart {
  const { measure, title } = description;
  return {
    type: 'box',
    title,
    ...directionOf(measure),
    x: cells.x,
    y: valueAxis(description, false),
    series: cells.series.map(({ name, tests }) => ({ name, values: tests.map((cell) => cell.flat()) })),
    notes: [
      'Box: quartiles and median. Whiskers: up to 1.5 interquartile ranges. Fewer than 5 values: the values themselves.',
    ],
  };
}

export function describeHeatMap(cells: Cells, rows: readonly string[], description: Description): HeatMap {
  const values = valuesOf(cells, description);
  const { measure, title, cfg } = description;
  return {
    type: 'heatmap',
    title,
    ...directionOf(measure),
    x: cells.x,
    y: {
      label: rows.join(', '),
      scale: 'category',
      categories: cells.series.map(({ name }) => withoutKey(name, rows)),
    },
    value: scaled({ label: measure.label, unit: measure.unit }, cfg['scale']),
    values: values.map((row) => row.map(({ mean }) => mean)),
  };
}

/** The direction of the measure as a subtitle. */
export function directionOf({ better }: Measure): { readonly subtitle?: string } {
  return better === 'unknown'
    ? {}
    : { subtitle: better === 'lower' ? 'Lower is better' : 'Higher is better' };
}

export function valueAxis(
  { measure, cfg }: Pick<Description, 'measure' | 'cfg'>,
  startsAtZero: boolean,
): Axis {
  return scaled({ label: measure.label, unit: measure.unit, startsAtZero }, cfg['y-scale']);
}

function scaled(axis: Axis, scale: string | number | undefined): Axis {
  return scale === 'log' && axis.scale !== 'category' ? { ...axis, scale: 'log' } : axis;
}

type Values = readonly (readonly CellValue[])[];

function valuesOf({ series }: Cells, { pooling = 'tests' }: Description): Values {
  return series.map(({ tests }) => tests.map((cell) => cellValue(cell, pooling)));
}

function frame({ title, measure, hasSpread, pooling, spread }: Description, values: Values) {
  const flat = values.flat();
  const missing = flat.filter(({ count }) => count === 0).length;
  const isSpread = hasSpread && flat.some(({ deviation }) => deviation > 0);
  const what = pooling === 'samples' ? 'all samples' : 'tests';
  const notes = [
    ...(isSpread
      ? [
          spread === 'interval'
            ? `Mean over ${what} with its 95 % interval (Student's t), where there are more than two.`
            : `Mean over ${what}; the spread is one standard deviation to each side, where there are more than two.`,
        ]
      : []),
    ...(missing > 0 ? [`Marked with a cross: ${counted(missing, 'place')} without a value.`] : []),
  ];
  return { title, ...directionOf(measure), ...(notes.length > 0 && { notes }) };
}

function edges(row: readonly CellValue[], { hasSpread = false, spread = 'deviation' }: Description) {
  if (!hasSpread) return {};
  return {
    low: row.map((cell) => cell.mean - halfWidth(cell, spread)),
    high: row.map((cell) => cell.mean + halfWidth(cell, spread)),
  };
}

/** From the mean to an end of the spread; 0 where there are too few values for one. */
export function halfWidth({ deviation, count }: CellValue, spread: 'deviation' | 'interval'): number {
  if (spread === 'deviation' || count < 3) return deviation;
  return (studentQuantile(0.975, count - 1) * deviation) / Math.sqrt(count);
}

function withoutKey(name: string, rows: readonly string[]): string {
  return rows.length === 1 ? name.slice((rows[0]?.length ?? 0) + 1) : name;
}
