import type { LineChart, PlotPart } from '../../../charts/core/chart.ts';
import {
  type ComparedSeriesView,
  type RunValue,
  readComparedSeries,
} from '../../../judge/app/compare/read-compared-series.ts';
import { rowEffectText } from '../../../judge/core/compare/compare-text.ts';
import type { ComparedRow } from '../../../judge/core/compare/compared-row.ts';
import { heading } from '../../core/report/report-document.ts';
import type { ComparedSides } from './compare-report.ts';
import type { ReportSources } from './report-request.ts';

/** The runs of both sides of the first values that differ, in time. */
export async function comparedCharts(
  rows: readonly ComparedRow[],
  { sides, most }: { readonly sides: ComparedSides; readonly most: number },
  { store, disk }: ReportSources,
): Promise<readonly PlotPart[]> {
  const parts: PlotPart[] = [];
  for (const row of rows.filter(({ base, head }) => base && head).slice(0, most)) {
    const { experiment, path } = row;
    const view = await readComparedSeries({ ...sides, experiment, path }, { store, disk });
    if (view) parts.push({ type: 'chart', chart: chartOf(view, row) });
  }
  return parts.length === 0 ? [] : [heading(2, 'Their values'), ...parts];
}

function chartOf(
  { experiment, path, unit, base, head, history }: ComparedSeriesView,
  row: ComparedRow,
): LineChart {
  const { values, runIds } = history;
  const places = new Map(runIds.map((id, place) => [id, place]));
  const gap = Number.NaN;
  // Runs that are older than what is shown have no place on the axis.
  const line = (name: string, side: readonly RunValue[]) => {
    const known = side.flatMap(({ runId, value }) => {
      const place = places.get(runId);
      return place === undefined ? [] : [[place, value] as const];
    });
    const ordered = known.toSorted(([a], [b]) => a - b);
    return {
      name,
      x: ordered.map(([place]) => place),
      y: ordered.map(([, value]) => value),
      hasMarkers: true,
    };
  };
  const hidden = [...base, ...head].filter(({ runId }) => !places.has(runId)).length;
  return {
    type: 'lines',
    title: [experiment, ...path].join('/'),
    subtitle: rowEffectText(row),
    x: { label: `last ${values.length} runs up to the head` },
    y: { label: 'value', unit },
    series: [
      { name: 'all runs', x: values.map((_, place) => place), y: values.map((value) => value ?? gap) },
      line('base', base),
      line('head', head),
    ],
    ...(hidden > 0 && { notes: [`${hidden} older values of the sides are not shown`] }),
  };
}
