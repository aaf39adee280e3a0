import type { LineChart, PlotPart, TableCell } from '../../../charts/core/chart.ts';
import { type ChangeRecord, seriesText } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import { SeriesFinder } from '../../../judge/app/series/series-finder.ts';
import { certaintyText, effectText, levelsText, sizeText } from '../../../judge/core/changes/change-text.ts';
import { shortText } from '../../../judge/core/explain/explanation-text.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { dayText, table } from '../../core/report/report-document.ts';
import type { ReportLinks } from './report-cells.ts';

/** Changes as a table: what is worse and largest first. */
export function changeTable(changes: readonly FollowedChange[], most: number, links: ReportLinks): PlotPart {
  return table({
    columns: ['change', 'value', 'effect', 'levels', 'certainty', 'begins', 'state', 'explanation'],
    rows: changes.map((change) => [
      links.change(change.id),
      change.series.kind === 'value'
        ? links.experiment(change.series.experiment, seriesText(change.series))
        : seriesText(change.series),
      { text: sizeText(change), tone: toneOf(change) },
      change.moved === undefined ? levelsText(change) : `${change.moved} measurements`,
      certaintyText(change.p),
      dayText(change.at),
      stateText(change),
      shortText(change.explanation ?? '', 200),
    ]),
    most,
  });
}

export function inOrderOfWeight(changes: readonly FollowedChange[]): readonly FollowedChange[] {
  const rank = ({ direction }: FollowedChange) => ['worse', 'unknown', 'better'].indexOf(direction);
  return changes.toSorted((a, b) => rank(a) - rank(b) || sizeOf(b) - sizeOf(a) || b.at - a.at);
}

export function stateText({ state, isProvisional, withdrawnAt }: FollowedChange): string {
  if (withdrawnAt !== undefined) return 'withdrawn';
  return isProvisional ? `${state}, provisional` : state;
}

export function toneOf({ direction }: Pick<FollowedChange, 'direction'>): NonNullable<TableCell['tone']> {
  return direction === 'worse' ? -1 : direction === 'better' ? 1 : 0;
}

const VALUES = 120;

/** A chart for each of the first changes that have values. */
export async function changeCharts(
  changes: readonly FollowedChange[],
  most: number,
  store: Store,
): Promise<readonly PlotPart[]> {
  const finder = new SeriesFinder(store);
  const parts: PlotPart[] = [];
  for (const change of changes) {
    if (parts.length === most) break;
    const history = await finder.history(change.series, { limit: VALUES });
    if (!history || history.values.length < 2) continue;
    const chart = { ...changeChart(change, history), subtitle: effectText(change.shift, change.unit) };
    parts.push({ type: 'chart', chart });
  }
  return parts;
}

function sizeOf({ shift: { relative, difference } }: FollowedChange): number {
  return Math.abs(relative?.change ?? difference);
}

export interface ChartedHistory {
  readonly times: ArrayLike<number>;
  /** NaN and null are gaps. */
  readonly values: ArrayLike<number | null>;
  /** Segments of one level; absent: the two of the change. */
  readonly levels?: readonly { readonly start: number; readonly end: number; readonly value: number }[];
}

/** The values around a change, and their levels. */
export function changeChart(
  change: Pick<ChangeRecord, 'series' | 'unit' | 'at' | 'before' | 'after'>,
  { times, values, levels }: ChartedHistory,
): LineChart {
  const x = Array.from(times);
  const { at, before, after, unit } = change;
  const [first = at, last = at] = [x[0], x.at(-1)];
  const segments = levels?.map(({ start, end, value }) => ({
    x: [x[start] ?? first, x[end] ?? x[end - 1] ?? last],
    y: [value, value],
  })) ?? [
    { x: [first, at], y: [before, before] },
    { x: [at, last], y: [after, after] },
  ];
  const gap = Number.NaN;
  return {
    type: 'lines',
    title: visible(seriesText(change.series)),
    x: { label: 'night', scale: 'time' },
    y: { label: 'value', unit },
    series: [
      { name: 'values', x, y: Array.from(values, (value) => value ?? gap), hasMarkers: x.length <= 200 },
      { name: 'levels', x: segments.flatMap((one) => one.x), y: segments.flatMap((one) => one.y) },
    ],
  };
}
