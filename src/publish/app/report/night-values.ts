import type { PlotPart, TableCell } from '../../../charts/core/chart.ts';
import type { Series } from '../../../formats/core/sample.ts';
import { seriesKey } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { BriefRun } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { JudgingRules } from '../../../judge/app/series/judging-rules.ts';
import { isDetail } from '../../../judge/app/series/series-values.ts';
import { readCurrent } from '../../../judge/app/series/stored-judgements.ts';
import { effectText } from '../../../judge/core/changes/change-text.ts';
import { judgeSeries } from '../../../judge/core/changes/judge-series.ts';
import type { StandingVerdict } from '../../../judge/core/changes/reference-level.ts';
import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import { heading, sentence, table } from '../../core/report/report-document.ts';
import type { ReportLinks } from './report-cells.ts';

const MOST_SERIES = 200_000;
/** Where there are more, the first three of each experiment are judged, and of so many series at most. */
const [JUDGED_MOST, OF_EXPERIMENT] = [1_000, 3];
const [PAST, SPARK, ROWS] = [2_000, 30, 300];

interface JudgedValue {
  readonly series: Series;
  readonly value: number;
  readonly spark: readonly (number | null)[];
  /** Absent: the definition ignores the series. */
  readonly newest?: StandingVerdict;
}

interface ValueRequest {
  readonly run: BriefRun;
  readonly changes: readonly FollowedChange[];
  readonly rules: JudgingRules;
  readonly links: ReportLinks;
}

/** The values that a run brought, each against its reference; what matters first, all else counted. */
export async function nightValues(
  { run, changes, rules, links }: ValueRequest,
  store: Store,
): Promise<readonly PlotPart[]> {
  const { brought, details } = await broughtBy(run, store);
  if (brought.length === 0) return [heading(2, 'Values'), sentence('The run brought no values.')];
  const chosen = choose(brought, changes);
  const known = changesBySeries(changes);
  const judged: JudgedValue[] = [];
  for (const one of chosen) judged.push(await judge(one, { run, known, rules, store }));
  const rank = ({ newest }: JudgedValue) => (newest ? ORDER.indexOf(newest.verdict) : ORDER.length);
  const rows = judged.toSorted((a, b) => rank(a) - rank(b));
  const left = [
    ...(brought.length > chosen.length
      ? [`${counted(brought.length - chosen.length, 'further value')} were not judged here`]
      : []),
    ...(details > 0
      ? [`${counted(details, 'spread or count', 'spreads and counts')} below "detailed" are not shown`]
      : []),
  ];
  return [
    heading(2, 'Values'),
    sentence(`${answer(judged)}.`),
    table({
      columns: ['value of', 'value>', 'against its reference', 'verdict', `last ${SPARK}`],
      rows: rows.map((row) => rowOf(row, links)),
      most: ROWS,
      notes: left,
    }),
  ];
}

/** What needs attention first. */
const ORDER: readonly StandingVerdict['verdict'][] = ['slower', 'changed', 'faster', 'undecided', 'same'];

interface Brought {
  readonly series: Series;
  readonly value: number;
}

async function broughtBy(
  run: BriefRun,
  store: Store,
): Promise<{ readonly brought: readonly Brought[]; readonly details: number }> {
  const { series: ids, values } = await store.valuesOf([run]);
  const all = await store.series({ limit: MOST_SERIES });
  const byId = new Map(all.map((series) => [series.id, series]));
  const brought: Brought[] = [];
  let details = 0;
  for (const [place, id] of ids.entries()) {
    const series = byId.get(id);
    if (!series || isDetail(series)) details++;
    else brought.push({ series, value: values[place] ?? Number.NaN });
  }
  const order = new Map(all.map(({ id }, place) => [id, place]));
  const placeOf = ({ series }: Brought) => order.get(series.id) ?? 0;
  return { brought: brought.toSorted((a, b) => placeOf(a) - placeOf(b)), details };
}

/** Those with an open change always; else the first ones of each experiment. */
function choose(brought: readonly Brought[], changes: readonly FollowedChange[]): readonly Brought[] {
  if (brought.length <= JUDGED_MOST) return brought;
  const changed = new Set(changes.map(({ series }) => seriesKey(series)));
  const counts = new Map<string, number>();
  const [first, others]: [Brought[], Brought[]] = [[], []];
  for (const one of brought) {
    const { experiment, path } = one.series;
    const count = counts.get(experiment) ?? 0;
    counts.set(experiment, count + 1);
    if (changed.has(seriesKey({ kind: 'value', experiment, path }))) first.push(one);
    else if (count < OF_EXPERIMENT) others.push(one);
  }
  return [...first, ...others].slice(0, JUDGED_MOST);
}

function changesBySeries(changes: readonly FollowedChange[]): ReadonlyMap<string, readonly FollowedChange[]> {
  const groups = new Map<string, FollowedChange[]>();
  for (const change of changes) {
    const key = seriesKey(change.series);
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return groups;
}

interface JudgeWith {
  readonly run: BriefRun;
  readonly known: ReadonlyMap<string, readonly FollowedChange[]>;
  readonly rules: JudgingRules;
  readonly store: Store;
}

async function judge({ series, value }: Brought, context: JudgeWith): Promise<JudgedValue> {
  const { run, store } = context;
  const { values, runIds } = await store.history(series.id, { limit: PAST, to: run.startedAt });
  const spark = Array.from(values.slice(-SPARK), (one) => (Number.isFinite(one) ? one : null));
  const newest = await verdictOf(series, { values, runIds }, context);
  return { series, value, spark, ...(newest && { newest }) };
}

/** As it was judged, where this is the newest value; an older one is judged by what was known then. */
async function verdictOf(
  { id, experiment, path, better }: Series,
  { values, runIds }: { readonly values: Float64Array; readonly runIds: readonly string[] },
  { run, known, rules, store }: JudgeWith,
): Promise<StandingVerdict | undefined> {
  const series = { kind: 'value', experiment, path } as const;
  if (rules.isIgnored(series)) return undefined;
  const newest = (await store.history(id, { limit: 1 })).runIds[0];
  const judged = newest === run.id ? await readCurrent(store, series) : undefined;
  if (judged) return judged.newest;
  const places = (known.get(seriesKey(series)) ?? []).map((change) => {
    return { change, place: runIds.lastIndexOf(change.runId) };
  });
  return judgeSeries({ values, better, known: places }, rules.rulesFor(series)).newest;
}

function rowOf(
  { series, value, spark, newest }: JudgedValue,
  links: ReportLinks,
): readonly (TableCell | string)[] {
  const { verdict = 'not judged', shift } = newest ?? {};
  return [
    links.experiment(series.experiment, [series.experiment, ...series.path].join('/')),
    formatNumber(value, series.unit),
    shift ? effectText(shift, series.unit) : '',
    { text: verdict, tone: verdict === 'slower' ? -1 : verdict === 'faster' ? 1 : 0 },
    { text: '', spark },
  ];
}

function answer(judged: readonly JudgedValue[]): string {
  const counts = ORDER.flatMap((verdict) => {
    const count = judged.filter(({ newest }) => newest?.verdict === verdict).length;
    return count === 0 ? [] : [`${formatNumber(count)} ${verdict === 'same' ? 'the same' : verdict}`];
  });
  return `Against what was accepted: ${counts.join(', ')}`;
}
