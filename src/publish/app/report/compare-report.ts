import type { BarChart, LineChart, PlotPart } from '../../../charts/core/chart.ts';
import { compareRuns } from '../../../judge/app/compare/compare-runs.ts';
import type { CompareView, SideView } from '../../../judge/app/compare/compare-view.ts';
import {
  type ComparedSeriesView,
  type RunValue,
  readComparedSeries,
} from '../../../judge/app/compare/read-compared-series.ts';
import { answerText, rowEffectText, rowVerdictText } from '../../../judge/core/compare/compare-text.ts';
import { type ComparedRow, hiddenUndecided, isNotable } from '../../../judge/core/compare/compared-row.ts';
import type { Difference } from '../../../judge/core/compare/differing-facts.ts';
import { listText, shortText } from '../../../judge/core/explain/explanation-text.ts';
import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import {
  heading,
  type ReportDocument,
  sentence,
  table,
  timeText,
} from '../../core/report/report-document.ts';
import { linksTo, type ReportLinks, sourceParts } from './report-cells.ts';
import type { ReportSources } from './report-request.ts';

const [ROWS, BARS, CHARTS, FACTS] = [300, 12, 6, 100];

export interface ComparedSides {
  readonly home: string;
  readonly base?: string;
  readonly head?: string;
}

/** Two sets of runs: the answer, every value that differs, what failed, and what else differs. */
export async function compareReport(sides: ComparedSides, sources: ReportSources): Promise<ReportDocument> {
  const view = await compareRuns(sides, sources);
  const title = `Comparison: ${view.base.asked} .. ${view.head.asked}`;
  const notable = view.rows.filter(isNotable);
  const links = linksTo(sources.page);
  return {
    title,
    parts: [
      heading(1, title),
      sentence(`${answerText(view.counts)}.`),
      sideTable(view, links),
      ...view.notes.map((note) => sentence(`Note: ${note}`)),
      ...effectParts(notable),
      heading(2, 'Values that differ'),
      ...(notable.length === 0 ? [sentence('None.')] : [rowTable(notable, links)]),
      ...hiddenParts(view),
      ...(await comparedCharts(notable, { sides, most: CHARTS }, sources)),
      ...failureParts(view, links),
      ...differenceParts(view),
    ],
  };
}

function sideTable({ base, head }: CompareView, links: ReportLinks): PlotPart {
  const row = (name: string, { runs, matched, asked }: SideView) => {
    const commits = new Set(
      runs.flatMap((run) => Object.entries(run.commits).map(([source, hash]) => `${source} ${hash}`)),
    );
    const machines = new Set(runs.flatMap(({ machine }) => machine ?? []));
    const [newest] = runs;
    return [
      name,
      asked,
      matched > runs.length ? `the newest ${runs.length} of ${matched}` : counted(runs.length, 'run'),
      newest ? links.run(newest.id, `${newest.id}, ${timeText(newest.startedAt)}`) : '',
      listText([...machines]),
      listText([...commits]),
    ];
  };
  return table({
    columns: ['side', 'requested', 'runs', 'newest', 'machine', 'commits'],
    rows: [row('base', base), row('head', head)],
  });
}

/** Effects with their intervals beside each other: what is large, and what is sure. */
function effectParts(notable: readonly ComparedRow[]): readonly PlotPart[] {
  const shown = notable
    .flatMap((row) => (row.shift?.relative ? [{ row, effect: row.shift.relative }] : []))
    .slice(0, BARS);
  if (shown.length < 2) return [];
  const percent = (values: readonly number[]) => values.map((value) => value * 100);
  const chart: BarChart = {
    type: 'bars',
    title: 'From base to head, with intervals',
    x: {
      label: '',
      scale: 'category',
      categories: shown.map(({ row }) => [row.experiment, ...row.path].join('/')),
    },
    y: { label: 'change', unit: '%' },
    series: [
      {
        name: 'change',
        values: percent(shown.map(({ effect }) => effect.change)),
        low: percent(shown.map(({ effect }) => effect.low)),
        high: percent(shown.map(({ effect }) => effect.high)),
      },
    ],
  };
  return [{ type: 'chart', chart }];
}

function rowTable(rows: readonly ComparedRow[], links: ReportLinks): PlotPart {
  return table({
    columns: ['verdict', 'value of', 'change', 'base>', 'head>'],
    rows: rows.map((row) => [
      { text: rowVerdictText(row), tone: toneOf(row) },
      links.experiment(row.experiment, [row.experiment, ...row.path].join('/')),
      rowEffectText(row),
      row.base ? formatNumber(row.base.value, row.unit) : '',
      row.head ? formatNumber(row.head.value, row.unit) : '',
    ]),
    most: ROWS,
  });
}

function toneOf({ verdict }: ComparedRow): number {
  if (verdict === 'slower' || verdict === 'failed') return -1;
  return verdict === 'faster' ? 1 : 0;
}

function hiddenParts({ counts, details }: CompareView): readonly PlotPart[] {
  const hidden = [
    ...(counts.same > 0 ? [`${counts.same} the same`] : []),
    ...(hiddenUndecided(counts) > 0 ? [`${hiddenUndecided(counts)} undecided`] : []),
    ...(details > 0 ? [counted(details, 'spread or count', 'spreads and counts')] : []),
  ];
  const held =
    counts.heldBack > 0
      ? ` ${counts.heldBack} of the undecided are held back: among so many some look different by chance.`
      : '';
  return hidden.length === 0 ? [] : [sentence(`Not shown: ${hidden.join(', ')}.${held}`)];
}

function failureParts({ failures }: CompareView, links: ReportLinks): readonly PlotPart[] {
  if (failures.length === 0) return [];
  const rows = failures.map(({ side, experiment, failedStage, failed, of, message }) => [
    side,
    { ...links.experiment(experiment), tone: -1 },
    failedStage ?? '',
    `${failed} of ${of}`,
    message,
  ]);
  return [
    heading(2, 'Failed'),
    table({ columns: ['side', 'experiment', 'stage', 'runs', 'message'], rows, most: ROWS }),
  ];
}

function differenceParts({ differences }: CompareView): readonly PlotPart[] {
  const { differing, equal, oneSided, sources, notes } = differences;
  return [
    heading(2, 'What else differs'),
    ...(differing.length === 0
      ? []
      : [table({ columns: ['what', 'base', 'head', 'beside'], rows: differing.map(factRow), most: FACTS })]),
    sentence(`${counted(equal, 'recorded fact')} the same, ${oneSided} recorded on one side only.`),
    ...sourceParts(sources),
    ...notes.map((note) => sentence(`Note: ${note}`)),
  ];
}

function factRow({ group, name, base, head, unit, experiments }: Difference): readonly string[] {
  const text = (values: Difference['base']) =>
    listText(
      values.map((value) =>
        typeof value === 'number' && unit !== undefined
          ? formatNumber(value, unit)
          : shortText(String(value)),
      ),
    );
  return [
    group === 'source' ? `commit of ${shortText(name)}` : shortText(name),
    text(base),
    text(head),
    listText(experiments.map((one) => shortText(one))),
  ];
}

/** The runs of both sides of the first values that differ, in time. */
async function comparedCharts(
  rows: readonly ComparedRow[],
  { sides, most }: { readonly sides: ComparedSides; readonly most: number },
  { store, disk }: ReportSources,
): Promise<readonly PlotPart[]> {
  const parts: PlotPart[] = [];
  for (const row of rows.filter(({ base, head }) => base && head).slice(0, most)) {
    const { experiment, path } = row;
    const view = await readComparedSeries({ ...sides, experiment, path }, { store, disk });
    if (view) parts.push({ type: 'chart', chart: comparedChart(view, row) });
  }
  return parts.length === 0 ? [] : [heading(2, 'Their values'), ...parts];
}

function comparedChart(
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
