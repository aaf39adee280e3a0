import { appendEvents, readLedger } from '../../../home/app/ledger-file.ts';
import {
  changeDirection,
  type JudgedSeries,
  type MeasuredSeries,
  seriesKey,
} from '../../../home/core/changes/change.ts';
import {
  addEvent,
  type ChangeEvent,
  type FollowedChange,
  type Ledger,
} from '../../../home/core/changes/change-ledger.ts';
import type { Direction } from '../../../home/core/changes/direction.ts';
import type { Store } from '../../../home/core/store.ts';
import type { JudgingRules } from '../series/judging-rules.ts';
import type { JudgeEffects } from './judge-home.ts';

const MANY = 1_000_000;

/**
 * Makes the directions that the definition declares now those of the whole history: of all series, and of the changes in
 * the ledger, each with a line of its own. Gives the changes that have another direction than before.
 */
export async function applyDirections(
  home: string,
  { directions }: Pick<JudgingRules, 'directions'>,
  { disk, store, clock }: JudgeEffects,
): Promise<readonly FollowedChange[]> {
  await store.saveDirections(directions);
  const { ledger } = await readLedger(home, disk);
  const events = await directedEvents(ledger, store, clock.now());
  if (events.length === 0) return [];
  await appendEvents(home, events, disk);
  for (const event of events) addEvent(ledger, event);
  const changed = events.flatMap(({ id }) => ledger.changes.get(id) ?? []);
  await store.saveChanges(changed);
  return changed;
}

type DirectedEvent = Extract<ChangeEvent, { readonly type: 'directed' }>;

async function directedEvents(ledger: Ledger, store: Store, at: number): Promise<readonly DirectedEvent[]> {
  const all = [...ledger.changes.values()];
  const directions = await directionsOf(
    all.map(({ series }) => series),
    store,
  );
  return all.flatMap((change): readonly DirectedEvent[] => {
    const now = directions.get(seriesKey(change.series));
    if (!now || isSame(change, now)) return [];
    const { better, betterFrom } = now;
    const direction = changeDirection(change.shift.difference, better);
    return [
      {
        type: 'directed',
        at,
        id: change.id,
        better,
        direction,
        ...(betterFrom !== undefined && { betterFrom }),
      },
    ];
  });
}

/** Lines of earlier versions do not say where a direction is from: that alone is nothing new. */
function isSame({ better, betterFrom }: FollowedChange, now: Direction): boolean {
  const isUntold = betterFrom === undefined && better !== 'unknown';
  return better === now.better && (isUntold || betterFrom === now.betterFrom);
}

/** Of the series that there are; a machine has none of its own. */
async function directionsOf(
  series: readonly JudgedSeries[],
  store: Store,
): Promise<ReadonlyMap<string, Direction>> {
  const found = new Map<string, Direction>();
  const add = (one: MeasuredSeries, { better, betterFrom }: Direction) =>
    found.set(seriesKey(one), { better, ...(betterFrom !== undefined && { betterFrom }) });
  const experiments = new Set(series.flatMap((one) => (one.kind === 'value' ? [one.experiment] : [])));
  for (const experiment of experiments)
    for (const { path, ...one } of await store.series({ experiment, limit: MANY }))
      add({ kind: 'value', experiment, path }, one);
  if (series.some(({ kind }) => kind === 'kpi'))
    for (const { name, labels, ...one } of await store.kpiSeries({ limit: MANY }))
      add({ kind: 'kpi', name, labels }, one);
  return found;
}
