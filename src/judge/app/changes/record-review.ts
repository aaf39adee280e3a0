import { appendEvents, readLedger } from '../../../home/app/ledger-file.ts';
import { type ChangeRecord, seriesKey } from '../../../home/core/changes/change.ts';
import {
  addEvent,
  type ChangeEvent,
  type FollowedChange,
  type GrowingLedger,
} from '../../../home/core/changes/change-ledger.ts';
import type { Store, StoredJudgement } from '../../../home/core/store.ts';
import { newestAgainstReference } from '../../core/changes/reference-level.ts';
import { SeriesFinder } from '../series/series-finder.ts';
import {
  JUDGED_VALUES,
  judgedHistory,
  readCurrent,
  saveJudgements,
  toStored,
} from '../series/stored-judgements.ts';
import { type JudgeEffects, saveAffected } from './judge-home.ts';
import { asHeldBack, knownChanges } from './judge-one.ts';

/** A word on one change, by a person or a duet. */
type Review = Extract<ChangeEvent, { type: 'triaged' | 'duet' }>;

/** Records reviews, and what follows: they decide what the newest values of their series are compared with. */
export async function recordReviews(
  home: string,
  reviews: readonly Review[],
  { disk, store, clock }: JudgeEffects,
): Promise<readonly FollowedChange[]> {
  const { ledger } = await readLedger(home, disk);
  await appendEvents(home, reviews, disk);
  for (const review of reviews) addEvent(ledger, review);
  await saveAffected(reviews, ledger, store);
  const changes = reviews.flatMap(({ id }) => ledger.changes.get(id) ?? []);
  const bySeries = new Map(changes.map((change) => [seriesKey(change.series), change]));
  const judgements: StoredJudgement[] = [];
  for (const change of bySeries.values()) judgements.push(...(await standingAnew(change, ledger, store)));
  await saveJudgements(judgements, { at: clock.now() }, store);
  return changes;
}

/** Only the verdict on the newest value is another: levels and changes do not depend on reviews. */
async function standingAnew(
  { series, better }: ChangeRecord,
  ledger: GrowingLedger,
  store: Store,
): Promise<readonly StoredJudgement[]> {
  const judged = await readCurrent(store, series);
  const history = await new SeriesFinder(store).history(series, { limit: JUDGED_VALUES });
  // What is not judged yet will be, with this review.
  if (!judged || !history) return [];
  const { values, runIds } = judgedHistory(history, judged);
  const known = knownChanges(series, runIds, ledger);
  const newest = newestAgainstReference({ values, better, known }, judged.changes, judged.rules);
  const anew = { ...judged, newest };
  return [toStored(series, judged.newest.isHeldBack ? asHeldBack(anew) : anew)];
}
