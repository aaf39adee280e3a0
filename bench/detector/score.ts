import type { Made } from './make-series.ts';

/** Finds the first index of each new level. */
export type Detector = (values: Float64Array) => readonly number[];

/** What one detector found in one kind of series. */
export interface Score {
  points: number;
  series: number;
  found: number;
  wanted: number;
  hits: number;
}

export const emptyScore = (): Score => ({ points: 0, series: 0, found: 0, wanted: 0, hits: 0 });

/** Each true step is hit by at most one found change, and that by no other: nearest pairs first. */
export function addScore(score: Score, { values, truth }: Made, found: readonly number[]): void {
  score.points += values.length;
  score.series++;
  score.found += found.length;
  score.wanted += truth.length;
  const pairs = truth
    .flatMap((wanted) => found.map((at) => ({ wanted, at, distance: Math.abs(wanted - at) })))
    .filter(({ distance }) => distance <= TOLERANCE)
    .sort((one, other) => one.distance - other.distance);
  const [usedTruth, usedFound] = [new Set<number>(), new Set<number>()];
  for (const { wanted, at } of pairs) {
    if (usedTruth.has(wanted) || usedFound.has(at)) continue;
    usedTruth.add(wanted);
    usedFound.add(at);
    score.hits++;
  }
}

/** A hit is within so many points. */
const TOLERANCE = 5;

/** Harmonic mean of precision and recall over all series together. */
export const f1 = ({ hits, found, wanted }: Score): number => (2 * hits) / (found + wanted);

export const falseAlarmsPerThousand = ({ found, points }: Score): number => (1000 * found) / points;
