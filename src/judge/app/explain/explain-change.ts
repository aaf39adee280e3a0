import type { ChangeRecord, MeasuredSeries } from '../../../home/core/changes/change.ts';
import type { History } from '../../../home/core/store.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { machineMeasure } from '../../core/changes/machine-part.ts';
import { windowSeries } from '../../core/explain/explained-series.ts';
import type { Explanation } from '../../core/explain/explanation.ts';
import { explanationSentence } from '../../core/explain/explanation-text.ts';
import { factColumns, isInformative } from '../../core/explain/flat-facts.ts';
import { rankCauses } from '../../core/explain/rank-causes.ts';
import type { ChangePoint, SeriesLevels } from '../../core/levels/levels.ts';
import { SeriesFinder } from '../series/series-finder.ts';
import {
  JUDGED_VALUES,
  type Judgement,
  judgedHistory,
  placedLevels,
  readCurrent,
} from '../series/stored-judgements.ts';
import { sourceChanges } from './explain-sources.ts';
import { type ExplainEffects, type ExplainInput, payloadFacts, runFacts } from './run-facts.ts';

const MAX_POINTS = JUDGED_VALUES;
/** Series that may stand for a machine. */
const MOST_SERIES = 100;
const NO_VALUES: History = { times: new Float64Array(), values: new Float64Array(), runIds: [] };

/** Explains a change that was found before, by the series as it is now. */
export async function explainRecord(
  home: string,
  record: ChangeRecord,
  effects: ExplainEffects,
): Promise<Explanation> {
  if (record.hardware !== undefined)
    throw new NightmarkError(
      'CHANGES_NOT_EXPLAINED',
      `The event ${record.id} is that of another machine: values from here on were measured on ${record.hardware}.`,
    );
  const series = record.series.kind === 'machine' ? await movedSeries(record, effects) : record.series;
  const history = await new SeriesFinder(effects.store).history(series, { limit: MAX_POINTS });
  const judged = await readCurrent(effects.store, series);
  const seen = seenBy(record, history ?? NO_VALUES, judged);
  const { values, times, runIds } = seen.history;
  const exact = runIds.indexOf(record.runId);
  const index = exact >= 0 ? exact : times.findIndex((at) => at >= record.at);
  if (index < 1)
    throw new NightmarkError(
      'CHANGES_NOT_EXPLAINED',
      `The change ${record.id} cannot be explained: the series has no value before it any more.`,
      { hint: 'Bring the index up to date with "nightmark reindex", or mark the change as false.' },
    );
  if (!judged)
    throw new NightmarkError(
      'CHANGES_NOT_EXPLAINED',
      `The change ${record.id} cannot be explained yet: the values of its series are not judged.`,
    );
  const { levels } = seen;
  const change = nearestChange(levels, index) ?? changeAt(index, levels, record);
  return explainChange({ home, series, values, runIds, levels, change }, effects);
}

/**
 * The values that show a change, with their levels: as they were judged; for one of a machine, or of hardware that was
 * used before, as they were measured.
 */
function seenBy(
  { series, runId }: ChangeRecord,
  history: History,
  judged: Judgement | undefined,
): { readonly history: History; readonly levels: SeriesLevels } {
  const own = judged && judgedHistory(history, judged);
  if (judged && own && series.kind !== 'machine' && own.runIds.includes(runId))
    return { history: own, levels: judged.levels };
  const levels = judged ? placedLevels(judged.drawn, history.times) : [];
  return { history, levels: { levels, changes: [], modes: [], noise: { scale: 0, correlation: 0 } } };
}

/** A machine is described by each of its runs: the longest series that it moved stands for all. */
async function movedSeries(
  { series, id, at }: ChangeRecord,
  { store }: ExplainEffects,
): Promise<MeasuredSeries> {
  const measure = series.kind === 'machine' ? series.measure : '';
  let best: { readonly series: MeasuredSeries; readonly before: number } | undefined;
  for (const { id: own, experiment, path, unit } of await store.series({ limit: MOST_SERIES })) {
    const one = { kind: 'value', experiment, path } as const;
    if (machineMeasure(one, unit) !== measure) continue;
    const { times } = await store.history(own, { limit: MAX_POINTS });
    const before = times.filter((time) => time < at).length;
    if (before < times.length && before > (best?.before ?? 0)) best = { series: one, before };
  }
  if (best) return best.series;
  for (const { name, labels, unit } of await store.kpiSeries({ limit: MOST_SERIES })) {
    const one = { kind: 'kpi', name, labels } as const;
    if (machineMeasure(one, unit) !== measure) continue;
    const { times } = await store.kpiHistory(one, { limit: MAX_POINTS });
    const before = times.filter((time) => time < at).length;
    if (before < times.length && before > (best?.before ?? 0)) best = { series: one, before };
  }
  if (best) return best.series;
  throw new NightmarkError(
    'CHANGES_NOT_EXPLAINED',
    `The event ${id} cannot be explained: its series are gone.`,
  );
}

/** With more values a change may be found a little beside its first place. */
function nearestChange({ changes }: SeriesLevels, index: number): ChangePoint | undefined {
  const distance = (it: ChangePoint) => Math.abs(it.index - index);
  return changes.filter((it) => distance(it) <= NEAR).sort((a, b) => distance(a) - distance(b))[0];
}

const NEAR = 5;

/** Where the series as it is now has no change near that point, its level is cut there. */
function changeAt(
  index: number,
  { levels }: SeriesLevels,
  { series, shift, p, ...record }: ChangeRecord,
): ChangePoint {
  const left = levels.find(({ start, end }) => start < index && index <= end);
  const right = levels.find(({ start, end }) => start <= index && index < end);
  const isOfMachine = series.kind === 'machine';
  const before = isOfMachine ? (left?.value ?? 1) : record.before;
  const after = isOfMachine ? before * record.after : record.after;
  const scale = Math.max(left?.scale ?? 0, right?.scale ?? 0);
  const start = left?.start ?? 0;
  const end = right?.end ?? index + 1;
  return {
    index,
    before: { start, end: index, value: before, scale, count: index - start },
    after: { start: index, end, value: after, scale, count: end - index },
    shift,
    p,
  };
}

/** Points around a change that facts are gathered for: more than five years of nights. */
const MOST_EXPLAINED = 2_000;

/** What else changed where a series changed, from all that a home has recorded, ranked by how well it splits the series. */
async function explainChange(input: ExplainInput, effects: ExplainEffects): Promise<Explanation> {
  const { start, series } = windowSeries(input, MOST_EXPLAINED);
  const runIds = input.runIds.slice(start, start + series.values.length);
  const request = { home: input.home, runIds, at: series.change.index };
  const { facts, notes } =
    input.series.kind === 'kpi'
      ? await payloadFacts(request, effects)
      : await runFacts({ ...request, experiment: input.series.experiment }, effects);
  const columns = factColumns(facts).filter(isInformative);
  const ranked = rankCauses(series, columns);
  const sources = await sourceChanges(input.home, ranked.causes, effects);
  return {
    ...ranked,
    sentence: explanationSentence(ranked, sources.changes),
    sources: sources.changes,
    points: runIds.length,
    notes: [...notes, ...sources.notes],
  };
}
