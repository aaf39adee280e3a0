import { readLedger } from '../../../home/app/ledger-file.ts';
import { seriesKey } from '../../../home/core/changes/change.ts';
import type { ChangeEvent, FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { History, Store } from '../../../home/core/store.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { StandingVerdict } from '../../core/changes/reference-level.ts';
import type { Explanation } from '../../core/explain/explanation.ts';
import type { Level } from '../../core/levels/levels.ts';
import { explainRecord } from '../explain/explain-change.ts';
import type { ExplainEffects } from '../explain/run-facts.ts';
import { SeriesFinder } from '../series/series-finder.ts';
import { JUDGED_VALUES, placedLevels, readCurrent } from '../series/stored-judgements.ts';
import { findNeighbours, type Neighbours } from './find-neighbours.ts';
import type { JudgeEffects } from './judge-home.ts';

/** One change as its page shows it. Plain data; a gap in the values is null. */
export interface ChangeDocument extends Pick<ChangeDetail, 'change' | 'events'> {
  /** All changes of the series, this one too; oldest first. */
  readonly ofSeries: readonly FollowedChange[];
  readonly series?: {
    readonly times: readonly number[];
    readonly values: readonly (number | null)[];
    readonly runIds: readonly string[];
  } & Pick<NonNullable<ChangeDetail['series']>, 'levels' | 'place' | 'newest'>;
  /** Between which commits it appeared, or why that is unknown. */
  readonly neighbours: Neighbours | { readonly reason: string };
}

/** What else changed there; a sentence where that is unknown. */
export type ChangeExplanation = { readonly explanation: Explanation } | { readonly reason: string };

export async function readChange(
  request: { readonly home: string; readonly id: string },
  effects: JudgeEffects,
): Promise<ChangeDocument> {
  const { change, events, series } = await showChange(request, effects);
  const { store } = effects;
  const all = await store.changes({ series: seriesKey(change.series), limit: MANY });
  const shown = series && {
    ...{ levels: series.levels, place: series.place },
    ...(series.newest && { newest: series.newest }),
    times: Array.from(series.history.times),
    values: Array.from(series.history.values, (value) => (Number.isFinite(value) ? value : null)),
    runIds: series.history.runIds,
  };
  return {
    ...{ change, events, ofSeries: all.toReversed(), neighbours: await neighboursOf(change, store) },
    ...(shown && { series: shown }),
  };
}

const MANY = 10_000;

async function neighboursOf(change: FollowedChange, store: Store): Promise<ChangeDocument['neighbours']> {
  try {
    return await findNeighbours(change, store);
  } catch (error) {
    if (error instanceof NightmarkError) return { reason: error.message };
    throw error;
  }
}

/** Reads a hundred runs: a request of its own. */
export async function readExplanation(
  home: string,
  change: FollowedChange,
  effects: ExplainEffects,
): Promise<ChangeExplanation> {
  try {
    return { explanation: await explainRecord(home, change, effects) };
  } catch (error) {
    if (error instanceof NightmarkError) return { reason: error.message };
    throw error;
  }
}

export interface ChangeDetail {
  readonly change: FollowedChange;
  /** What was written down about it, oldest first. */
  readonly events: readonly ChangeEvent[];
  /** Absent where the series has no values any more. */
  readonly series?: {
    readonly history: History;
    readonly levels: readonly Level[];
    /** Where the change begins in it; -1: not in these values. */
    readonly place: number;
    /** The newest value against what was accepted. Without it, and without levels: the values are not judged yet. */
    readonly newest?: StandingVerdict;
  };
}

/** Everything about one change: its levels, its runs, and its triage. */
export async function showChange(
  { home, id }: { readonly home: string; readonly id: string },
  { disk, store }: JudgeEffects,
): Promise<ChangeDetail> {
  const all: ChangeEvent[] = [];
  const { ledger } = await readLedger(home, disk, (event) => void all.push(event));
  const change = findChange(ledger.changes, id);
  const events = all.filter(
    (event) =>
      ('change' in event && event.change.id === change.id) || ('id' in event && event.id === change.id),
  );
  const history = await new SeriesFinder(store).history(change.series, { limit: JUDGED_VALUES });
  if (!history || history.values.length === 0) return { change, events };
  const place = history.runIds.lastIndexOf(change.runId);
  const judged = await readCurrent(store, change.series);
  if (!judged) return { change, events, series: { history, levels: [], place } };
  const levels = placedLevels(judged.drawn, history.times);
  return { change, events, series: { history, levels, place, newest: judged.newest } };
}

/** The change that an id, or its beginning, names. */
export function findChange(changes: ReadonlyMap<string, FollowedChange>, given: string): FollowedChange {
  const exact = changes.get(given);
  if (exact) return exact;
  const begun = given === '' ? [] : [...changes.keys()].filter((id) => id.startsWith(given));
  const only = begun.length === 1 ? changes.get(begun[0] ?? '') : undefined;
  if (only) return only;
  if (begun.length > 1) {
    throw new NightmarkError('CHANGES_AMBIGUOUS', `${begun.length} changes begin with "${given}".`, {
      hint: `Which one: ${begun.slice(0, 5).join(', ')}${begun.length > 5 ? ' ...' : ''}?`,
    });
  }
  throw new NightmarkError('CHANGES_UNKNOWN', `There is no change "${given}" in this home.`, {
    hint: 'nightmark changes lists them with their ids; --home names another home.',
  });
}
