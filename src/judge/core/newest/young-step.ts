import { lossOf, placeStep } from '../levels/place.ts';
import { robustMean } from '../levels/robust-mean.ts';

/** Where the newest values left their level: too few of them yet to be a level of their own. */
export interface YoungStep {
  /** Index of the first of them, gaps counted. */
  readonly index: number;
  /** Where the values do not decide it: the earliest and the latest index where it may have begun, at 95 %. */
  readonly range?: { readonly first: number; readonly last: number };
  /** Single values shortly before that were there already, and came back: they say nothing of the level that was left. */
  readonly visits: readonly number[];
}

/**
 * Finds since when the newest value is where it is, in the values of the present level up to the newest. Undefined where the newest
 * lies at the level, or the level has too few values. It says where a step is if there is one, not whether: the values from
 * there on are to be judged against those before it, without the visits.
 */
export function findYoungStep(values: Float64Array): YoungStep | undefined {
  const places = [...values.keys()].filter((place) => Number.isFinite(values[place]));
  const usable = values.filter(Number.isFinite);
  const count = usable.length;
  const first = Math.max(LEAST_BEFORE, count - MOST);
  if (count <= LEAST_BEFORE) return undefined;
  const weights = new Float64Array(count).fill(1);
  const { centre, scale } = robustMean(usable.subarray(0, first), weights.subarray(0, first));
  const distance = Math.abs((usable[count - 1] as number) - centre); // count > 0
  // A few values know little of their spread; what was always the same may still vary a little.
  const unit = Math.max(scale * (1 + FEW / first), distance / CLEAREST);
  if (!(distance > LEFT * unit)) return undefined;
  const raw = usable.map((value) => (value - centre) / unit);
  const step = { from: 0, to: count };
  // The level that is left is known, the new one is what the values from there on say.
  const losses = Array.from({ length: count - first }, (_, i) =>
    lossOf({ raw, weights }, { ...step, at: first + i }),
  );
  const least = Math.min(...losses);
  const isPossible = (loss: number) => loss < least + POSSIBLE;
  const place = placeStep(
    { raw, values: raw, weights, centre, scale: unit },
    { ...step, at: first + losses.lastIndexOf(least) },
    { first, last: count - 1, minSegment: MIN_SEGMENT, inflation: 1 },
  );
  const wasFixed = place.visits.some((visit) => visit < place.at) && place.first === place.at;
  const range = {
    first: wasFixed ? place.at : Math.min(place.first, first + losses.findIndex(isPossible)),
    last: Math.max(place.last, first + losses.findLastIndex(isPossible)),
  };
  const at = (point: number) => places[point] as number; // places are of points
  return {
    index: at(place.at),
    ...(range.first < range.last && { range: { first: at(range.first), last: at(range.last) } }),
    visits: place.visits.filter((visit) => visit < place.at).map(at),
  };
}

/** Newest values that may not be a level yet: three are one if they are certain, more if they are not. */
const MOST = 7;
/** Fewest values of the level before. */
const LEAST_BEFORE = 3;
const MIN_SEGMENT = 3;
const FEW = 2;
/** How much worse than the best a place may fit and still be possible: twice a logarithm of likelihoods of 20 to 1. */
const POSSIBLE = 6;
/** Deviations from which on a value may have left its level. */
const LEFT = 2;
/** A step is never taken for larger than so many deviations: beyond, nothing gets clearer. */
const CLEAREST = 12;
