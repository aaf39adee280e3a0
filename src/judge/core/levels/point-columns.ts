import { type Season, seasonAt } from './season.ts';

/** The usable points of a series, in columns that grow. */
export interface PointColumns {
  readonly count: number;
  /** Values without the seasons that were taken out, and weights, from one usable point up to another. */
  values(from: number, to: number): Float64Array;
  weights(from: number, to: number): Float64Array;
  /** Indices in the series, gaps counted, of usable points. */
  places(from: number, to: number): Float64Array;
  /** Index in the series, gaps counted, of a usable point. */
  placeOf(point: number): number;
  /** Values as they came. */
  raw(from: number, to: number): Float64Array;
  push(value: number, weight: number, place: number): void;
  /** Takes these seasons, and no others, out of the values from a point on. */
  takeOut(seasons: readonly Season[], from: number): void;
}

export function createPointColumns(): PointColumns {
  let count = 0;
  let [values, weights, places] = [new Float64Array(64), new Float64Array(64), new Float64Array(64)];
  let levelled = new Float64Array(64);
  return {
    get count() {
      return count;
    },
    values: (from, to) => levelled.subarray(from, to),
    raw: (from, to) => values.subarray(from, to),
    weights: (from, to) => weights.subarray(from, to),
    places: (from, to) => places.subarray(from, to),
    placeOf: (point) => places[point] as number, // requested points that were pushed
    push(value, weight, place) {
      if (count === values.length) {
        [values, weights, places] = [doubled(values), doubled(weights), doubled(places)];
        levelled = doubled(levelled);
      }
      values[count] = value;
      levelled[count] = value;
      weights[count] = weight;
      places[count++] = place;
    },
    takeOut(seasons, from) {
      levelled.set(values.subarray(from, count), from);
      for (const season of seasons)
        for (let i = from; i < count; i++)
          levelled[i] = (levelled[i] as number) - seasonAt(season, places[i] as number); // i < count
    },
  };
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * column.length);
  larger.set(column);
  return larger;
}
