import type { PlotPart } from '../../../charts/core/chart.ts';
import { seriesText } from '../../../home/core/changes/change.ts';
import type { ChangeDuet, FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import {
  type ChangeDocument,
  type ChangeExplanation,
  readChange,
  readExplanation,
} from '../../../judge/app/changes/read-change.ts';
import {
  certaintyText,
  effectText,
  eventText,
  goodText,
  levelsText,
  sizeText,
} from '../../../judge/core/changes/change-text.ts';
import { causeRows, leftOutText, restLines } from '../../../judge/core/explain/explanation-text.ts';
import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import {
  dayText,
  heading,
  type ReportDocument,
  sentence,
  table,
  timeText,
} from '../../core/report/report-document.ts';
import { changeChart, stateText, toneOf } from './change-table.ts';
import { linksTo, type ReportLinks, sourceParts } from './report-cells.ts';
import type { ReportSources } from './report-request.ts';

const [AROUND, LEVELS, EVENTS] = [5, 20, 50];

/** One change: its size, explanation, commits, duet and values. */
export async function changeReport(
  { home, id }: { readonly home: string; readonly id: string },
  sources: ReportSources,
): Promise<ReportDocument> {
  const document = await readChange({ home, id }, sources);
  const { change } = document;
  const explanation = await readExplanation(home, change, sources);
  const title = `${seriesText(change.series)}: ${sizeText(change)}`;
  const good = goodText(change);
  const direction = good === '' ? '' : ` It is${good}.`;
  return {
    title,
    parts: [
      heading(1, title),
      sentence(
        `Begins ${dayText(change.at)} with ${change.runId}, certainty ${certaintyText(change.p)}.${direction}`,
      ),
      factTable(document, linksTo(sources.page)),
      ...chartParts(document),
      heading(2, 'Explanation'),
      ...explanationParts(explanation),
      ...duetParts(change.duet),
      ...seriesParts(document),
      ...otherParts(document),
      heading(2, 'Recorded events'),
      table({
        columns: ['when', 'what'],
        rows: document.events
          .toReversed()
          .map((event) => [timeText(event.at), eventText(event, change.unit)]),
        most: EVENTS,
      }),
    ],
  };
}

function factTable({ change, neighbours }: ChangeDocument, links: ReportLinks): PlotPart {
  const { shift, unit, note, author, triagedAt, detector, moved } = change;
  const between =
    'reason' in neighbours
      ? neighbours.reason
      : `${neighbours.source} ${neighbours.before} .. ${neighbours.after}`;
  const review = [
    note ?? '',
    author === undefined ? '' : `by ${author}`,
    triagedAt === undefined ? '' : dayText(triagedAt),
  ];
  const rows = [
    ['change', links.change(change.id)],
    ...(change.series.kind === 'value'
      ? [
          ['experiment', links.experiment(change.series.experiment)],
          ['first run', links.run(change.runId)],
        ]
      : []),
    [
      'effect',
      { text: `${effectText(shift, unit)}, interval of ${shift.level * 100} %`, tone: toneOf(change) },
    ],
    moved === undefined
      ? ['levels', levelsText(change)]
      : ['measurements that moved together', String(moved)],
    ['state', stateText(change)],
    ...(triagedAt === undefined ? [] : [['review', review.filter((one) => one !== '').join(', ')]]),
    ['between commits', between],
    ['found by', detector],
  ];
  return table({ columns: ['', ''], rows });
}

function chartParts({ change, series }: ChangeDocument): readonly PlotPart[] {
  if (!series) return [sentence('The series has no values any more.')];
  return [{ type: 'chart', chart: changeChart(change, series) }];
}

function explanationParts(found: ChangeExplanation): readonly PlotPart[] {
  if ('reason' in found) return [sentence(found.reason)];
  const { explanation } = found;
  const { sentence: line, causes, sources, notes } = explanation;
  const left = leftOutText(causes);
  return [
    sentence(line),
    ...(causes.length === 0
      ? []
      : [
          table({
            columns: ['', 'what', 'before', 'after', 'fit'],
            rows: causeRows(causes).map(({ rank, name, before, after, fit }) => [
              rank,
              name,
              before,
              after,
              fit,
            ]),
            notes: left === undefined ? [] : [left],
          }),
        ]),
    ...sourceParts(sources),
    ...[...restLines(explanation), ...notes].map(sentence),
  ];
}

function duetParts(duet: ChangeDuet | undefined): readonly PlotPart[] {
  if (!duet) return [];
  const { at, state, source, before, after, pairs, metric = 'time', effect } = duet;
  const ratio = effect
    ? `${metric} x ${effect.ratio.toFixed(3)} (${effect.low.toFixed(3)} to ${effect.high.toFixed(3)})`
    : 'no effect was measured';
  return [
    heading(2, 'Duet of both commits'),
    sentence(
      `${state}: ${ratio}, ${counted(pairs, 'pair')} of ${source} ${before} and ${after}, ${timeText(at)}.`,
    ),
  ];
}

function seriesParts({ change, series }: ChangeDocument): readonly PlotPart[] {
  if (!series) return [];
  const { times, values, runIds, levels, place } = series;
  const number = (value: number | null | undefined) =>
    value == null ? '' : formatNumber(value, change.unit);
  const from = Math.max(0, place - AROUND);
  const around = place < 0 ? [] : runIds.slice(from, place + AROUND + 1);
  return [
    heading(2, 'Levels'),
    table({
      columns: ['from', 'to', 'level>', 'values>'],
      rows: levels
        .slice(-LEVELS)
        .map(({ start, end, value, count }) => [
          dayText(times[start] ?? Number.NaN),
          dayText(times[end - 1] ?? Number.NaN),
          number(value),
          String(count),
        ]),
      notes: levels.length > LEVELS ? [`${levels.length - LEVELS} earlier levels are not shown`] : [],
    }),
    ...(around.length === 0
      ? []
      : [
          heading(2, 'Runs around it'),
          table({
            columns: ['', 'started', 'run', 'value>'],
            rows: around.map((runId, at) => [
              from + at === place ? 'begins here' : '',
              timeText(times[from + at] ?? Number.NaN),
              runId,
              number(values[from + at]),
            ]),
          }),
        ]),
  ];
}

function otherParts({ change, ofSeries }: ChangeDocument): readonly PlotPart[] {
  const others = ofSeries.filter(({ id }) => id !== change.id);
  if (others.length === 0) return [];
  const row = (one: FollowedChange) => [
    one.id,
    dayText(one.at),
    effectText(one.shift, one.unit),
    stateText(one),
  ];
  return [
    heading(2, 'Other changes of this series'),
    table({
      columns: ['change', 'begins', 'effect', 'state'],
      rows: others.toReversed().map(row),
      most: EVENTS,
    }),
  ];
}
