import { describeLevels, type FoundCut, type KnownLevels } from './describe-levels.ts';
import { type ModePair, withoutModes } from './lasting-modes.ts';
import { CHANGE_DEFAULTS, type ChangeOptions, type SeriesInput, type SeriesLevels } from './levels.ts';
import type { Place } from './place.ts';
import { createPointColumns, type PointColumns } from './point-columns.ts';
import { findSeason, type Season, seasonAt } from './season.ts';
import { segment } from './segment.ts';

/** Levels of a series and the changes between them. */
export function findChanges(
  { values, weights }: SeriesInput,
  options: Partial<ChangeOptions> = {},
): SeriesLevels {
  const finder = createChangeFinder(options);
  for (let index = 0; index < values.length; index++)
    finder.append(values[index] as number, weights?.[index] ?? 1);
  return finder.levels();
}

/** Name and version of the detector; it changes whenever its results would. */
export const DETECTOR = 'nightmark-2';

/** Finds the levels of a series that grows. */
export interface ChangeFinder {
  /** One more point. Not a number, or a weight that is not above 0: a failure or a gap, which keeps its index. */
  append(value: number, weight?: number): void;
  /** Of all points so far. The same as of a finder that got them all at once. */
  levels(): SeriesLevels;
}

/**
 * Segments the last HORIZON usable points at most. Whenever these are full, what is older than SETTLED_AFTER points is
 * final: changes there stay as they are, and none is added. So a point costs the same however long the series is,
 * and what was found long ago does not vanish, move or appear because of points that came much later.
 */
export function createChangeFinder(options: Partial<ChangeOptions> = {}): ChangeFinder {
  const chosen = { ...CHANGE_DEFAULTS, ...options };
  const points = createPointColumns();
  const settled: FoundCut[] = [];
  const known: KnownLevels = new Map();
  let length = 0;
  // Points from `anchor` on are segmented; new levels begin at `edge` at the earliest.
  let [anchor, edge] = [0, 0];
  let modes: ModePair | undefined;

  const segmentOpen = (): Segmented => {
    const seasons = takeOutSeasons(points, edge);
    const found = segment(
      {
        values: points.values(anchor, points.count),
        weights: points.weights(anchor, points.count),
        firstCut: edge - anchor,
      },
      chosen,
    );
    const cuts = found.cuts.map(({ p, ...place }) => ({
      ...movedBy(place, anchor),
      p,
      correlation: found.correlation,
    }));
    const { cuts: open, pair } = withoutModes({ points, from: anchor, cuts, known: modes });
    return { correlation: found.correlation, open, pair, seasons };
  };
  const settleOld = (): void => {
    const next = points.count - SETTLED_AFTER;
    const { open, pair } = segmentOpen();
    const old = open.filter(({ at }) => at < next);
    settled.push(...old);
    // A new level has modes of its own.
    modes = pair === modes && old.length > 0 ? undefined : pair;
    edge = next;
    anchor = Math.max(edge - CONTEXT, settled.at(-1)?.at ?? 0);
  };
  return {
    append(value, weight = 1) {
      const place = length++;
      if (!Number.isFinite(value) || !(weight > 0 && weight < Number.POSITIVE_INFINITY)) return;
      points.push(value, weight, place);
      if (points.count - anchor >= HORIZON) settleOld();
    },
    levels() {
      const { open, correlation, seasons, pair } = segmentOpen();
      const cuts = [...settled, ...open];
      return describeLevels({
        points,
        length,
        cuts,
        correlation,
        seasons,
        pair,
        known,
        settled: settled.length,
        options: chosen,
      });
    },
  };
}

function movedBy({ at, first, last, visits }: Place, points: number): Place {
  const moved = visits.map((visit) => visit + points);
  return { at: at + points, first: first + points, last: last + points, visits: moved };
}

/** Seasons of the newest points; what is final stays as it is. */
function takeOutSeasons(points: PointColumns, edge: number): readonly Season[] {
  const from = Math.max(0, points.count - HORIZON);
  const [values, places] = [points.raw(from, points.count).slice(), points.places(from, points.count)];
  const seasons: Season[] = [];
  while (seasons.length < MOST_SEASONS) {
    const season = findSeason({ values, places });
    if (season === undefined) break;
    seasons.push(season);
    places.forEach((place, i) => {
      values[i] = (values[i] as number) - seasonAt(season, place); // as many
    });
  }
  points.takeOut(seasons, edge);
  return seasons;
}

/** Weekdays and months, say. */
const MOST_SEASONS = 2;

interface Segmented {
  readonly seasons: readonly Season[];
  readonly open: readonly FoundCut[];
  readonly correlation: number;
  readonly pair: ModePair | undefined;
}

/** Points that are segmented together: nearly a year of nights. More would find smaller steps and take longer. */
const HORIZON = 352;
const SETTLED_AFTER = 112;
/** Final points of the present level that a new step is seen against. */
const CONTEXT = 48;
