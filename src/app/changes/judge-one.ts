import { changeId } from '../../core/changes/change-id.ts';
import { DETECTOR } from '../../core/changes/detector.ts';
import type { GrowingLedger } from '../../core/changes/fold-ledger.ts';
import { judgeSeries, type SeenChange } from '../../core/changes/judge-series.ts';
import { reconcile } from '../../core/changes/reconcile.ts';
import { seriesKey } from '../../core/changes/series-key.ts';
import type { Better } from '../../core/model/change.ts';
import type { ChangeEvent, FollowedChange, Sighting } from '../../core/model/change-ledger.ts';
import type { RegressRules } from '../../core/model/home.ts';
import type { SeriesInHand } from './series-to-judge.ts';
import type { NewestShift } from './settle-newest.ts';

interface Circumstances {
  readonly rules: RegressRules;
  readonly ledger: GrowingLedger;
  readonly now: number;
}

/** One series: what its levels say against what is known, and what its newest value says. */
export function judgeOne(
  hand: SeriesInHand,
  { rules, ledger, now }: Circumstances,
): { readonly events: readonly ChangeEvent[]; readonly newest: NewestShift } {
  const { series, better, history, isCut } = hand;
  const { values, runIds } = history;
  const known = (ledger.bySeries.get(seriesKey(series)) ?? []).flatMap((id) => ledger.changes.get(id) ?? []);
  const provisionalAt = placeOfNewest(known, runIds);
  const { seen, provisional, newest } = judgeSeries(
    { values, better, ...(provisionalAt !== undefined && { provisionalAt }) },
    rules,
  );
  const { added, changed, withdrawn } = reconcile({
    known,
    seen: provisional ? [...seen, provisional] : seen,
    runIds,
    isCut,
  });
  const events: ChangeEvent[] = [
    ...withdrawn.map(({ id, isProvisional }): ChangeEvent => {
      return { type: 'withdrawn', at: now, id, reason: isProvisional ? GONE : UNSEEN };
    }),
    ...changed.map(({ known, seen, isBack }): ChangeEvent => {
      const isSure = known.isProvisional && !seen.isProvisional;
      const type = isBack ? 'found' : isSure ? 'confirmed' : 'moved';
      return { type, at: now, change: sighting(hand, seen, known.id) };
    }),
    ...added.filter(({ isProvisional }) => !isProvisional).map((seen) => found(hand, seen, { ledger, now })),
  ];
  const candidate = added.find(({ isProvisional }) => isProvisional);
  return { events, newest: newestShift(hand, candidate, newest.p) };
}

/** Newest values that stood the comparison with all the others become provisional changes. */
export function provisionalEvents(
  shifts: readonly NewestShift[],
  ledger: GrowingLedger,
  now: number,
): readonly ChangeEvent[] {
  return shifts.flatMap(({ from, candidate, runId, at }) => {
    if (!candidate) return [];
    const place = { times: Float64Array.of(at), values: new Float64Array(1), runIds: [runId] };
    return [found({ ...from, history: place }, { ...candidate, index: 0 }, { ledger, now })];
  });
}

const GONE = 'The values that came since do not bear it out.';
const UNSEEN = 'With the values that came since, the detector does not see it.';

/** Of the newest change: it may be too young for the detector. */
function placeOfNewest(known: readonly FollowedChange[], runIds: readonly string[]): number | undefined {
  const seen = known.filter(({ withdrawnAt }) => withdrawnAt === undefined);
  const place = Math.max(-1, ...seen.map(({ runId }) => runIds.lastIndexOf(runId)));
  return place < 0 ? undefined : place;
}

function found(
  hand: SeriesInHand,
  seen: SeenChange,
  { ledger, now }: Pick<Circumstances, 'ledger' | 'now'>,
): ChangeEvent {
  const runId = hand.history.runIds[seen.index] ?? '';
  const id = changeId(hand.series, runId, (id) => ledger.changes.has(id));
  return { type: 'found', at: now, change: sighting(hand, seen, id) };
}

function sighting({ series, unit, better, history }: SeriesInHand, seen: SeenChange, id: string): Sighting {
  const { index, before, after, shift, p, isProvisional } = seen;
  return {
    ...{ id, series, unit, better },
    at: history.times[index] ?? 0,
    runId: history.runIds[index] ?? '',
    ...{ before, after, shift },
    p: Number.isNaN(p) ? 1 : p,
    direction: directionOf(shift.difference, better),
    isProvisional,
    detector: DETECTOR,
  };
}

function directionOf(difference: number, better: Better): Sighting['direction'] {
  if (better === 'unknown') return 'unknown';
  return difference < 0 === (better === 'lower') ? 'better' : 'worse';
}

const DAY_MS = 86_400_000;

function newestShift(
  { history, ...from }: SeriesInHand,
  candidate: SeenChange | undefined,
  p: number | undefined,
): NewestShift {
  const { times, runIds } = history;
  const place = candidate?.index ?? Math.max(0, times.length - 1);
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    from,
    ...(p !== undefined && { p }),
    ...(candidate && { candidate }),
    runId: runIds[place] ?? '',
    at: times[place] ?? 0,
    cadenceDays: times.length < 2 ? 1 : span / (times.length - 1) / DAY_MS,
  };
}
