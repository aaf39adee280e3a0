import { seriesKey } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Explanation } from '../../core/explain/explanation.ts';
import type { ExplainEffects } from './explain-effects.ts';
import { explainRecord } from './explain-record.ts';
import { findNeighbours, type Neighbours } from './find-neighbours.ts';
import type { JudgeEffects } from './judge-home.ts';
import type { RuleBook } from './rules.ts';
import { type ChangeDetail, showChange } from './show-change.ts';

/** One change as its page shows it. Plain data; a gap in the values is null. */
export interface ChangeDocument extends Pick<ChangeDetail, 'change' | 'events'> {
  /** All changes of the series, this one too; oldest first. */
  readonly ofSeries: readonly FollowedChange[];
  readonly series?: {
    readonly times: readonly number[];
    readonly values: readonly (number | null)[];
    readonly runIds: readonly string[];
  } & Pick<NonNullable<ChangeDetail['series']>, 'levels' | 'place' | 'newest'>;
  /** Between which commits it appeared, or why that cannot be told. */
  readonly neighbours: Neighbours | { readonly reason: string };
}

/** What else changed there; a sentence where that cannot be told. */
export type ChangeExplanation = { readonly explanation: Explanation } | { readonly reason: string };

export async function readChange(
  request: { readonly home: string; readonly id: string; readonly rules: RuleBook },
  effects: JudgeEffects,
): Promise<ChangeDocument> {
  const { change, events, series } = await showChange(request, effects);
  const { store } = effects;
  const all = await store.changes({ series: seriesKey(change.series), limit: MANY });
  const shown = series && {
    ...{ levels: series.levels, place: series.place, newest: series.newest },
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

/** Reads a hundred runs: asked for apart from the rest. */
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
