import {
  type ExplainedSeries,
  explainedPart,
  type Place,
  type SeriesView,
  viewSeries,
} from './explained-series.ts';
import type { Cause, ChangedFact, FactColumn, FactValue, RankedCauses } from './explanation.ts';
import { type Found, fitOf, telemetryCause } from './telemetry-step.ts';

/**
 * What changed where the series changed, ranked by how well it splits the series. A fact earns by values that are alike
 * where it is the same, and loses by every place where it changed and the series did not.
 */
export function rankCauses(series: ExplainedSeries, facts: readonly FactColumn[]): RankedCauses {
  const view = viewSeries(series);
  const steps = facts.filter(({ group }) => group === 'telemetry').length;
  const causes = new Map<string, Cause>();
  let [unchanged, unknown] = [0, 0];
  for (const [number, column] of facts.entries()) {
    const found =
      column.group === 'telemetry' ? telemetryCause(column, view, steps) : causeOf(column, view, causes);
    if (found === 'unchanged') unchanged++;
    else if (found === 'unknown') unknown++;
    else causes.set(found.signature ?? String(number), found.cause);
  }
  const ranked = [...causes.values()].sort(
    (a, b) => b.score - a.score || Math.abs(a.offset) - Math.abs(b.offset),
  );
  return { causes: ranked, unchanged, unknown };
}

function causeOf(column: FactColumn, view: SeriesView, known: ReadonlyMap<string, Cause>): Found {
  const partition = partitionBy(column.values);
  const { labels, groups, turns } = partition;
  const turn = nearestTurn(turns, view.place);
  const { index } = view.place;
  if (turn === undefined) return isKnownOnBothSides(labels, index) ? 'unchanged' : 'unknown';
  const [before, after] = [groups[labels[turn.last] ?? 0], groups[labels[turn.at] ?? 0]];
  if (before === undefined || after === undefined) return 'unknown';
  const { group, name, unit } = column;
  const fact: ChangedFact = { group, name, ...(unit === undefined ? {} : { unit }), before, after };

  // A commit is listed apart from what else changed, never as one cause with it.
  const signature = `${group === 'source'} ${labels.join(' ')}`;
  const same = known.get(signature);
  if (same) return { signature, cause: { ...same, facts: [...same.facts, fact] } };
  const elsewhere = countElsewhere(turns, turn, view.otherPlaces);
  const specificity = (1 + elsewhere.withEffect) / (1 + elsewhere.withEffect + elsewhere.without);
  const score = specificity * association(partition, view);
  const offset = offsetFrom(index, turn);
  return { signature, cause: { facts: [fact], score, fit: fitOf(score), offset, elsewhere } };
}

function nearestTurn(turns: readonly Turn[], { index, tolerance }: Place): Turn | undefined {
  let nearest: Turn | undefined;
  for (const turn of turns) {
    const distance = Math.abs(offsetFrom(index, turn));
    if (distance > tolerance) continue;
    if (nearest === undefined || distance < Math.abs(offsetFrom(index, nearest))) nearest = turn;
  }
  return nearest;
}

function isKnownOnBothSides(labels: Int32Array, index: number): boolean {
  const isKnown = (label: number) => label >= 0;
  return labels.subarray(0, index).some(isKnown) && labels.subarray(index).some(isKnown);
}

function countElsewhere(turns: readonly Turn[], own: Turn, places: readonly Place[]) {
  let [withEffect, without] = [0, 0];
  let next = 0;
  for (const turn of turns) {
    if (turn === own) continue;
    // Both are in order: a place that lies too far behind is behind for all further turns as well.
    while (next < places.length && offsetFrom(places[next]?.index ?? 0, turn) > REACH) next++;
    const isNear = places
      .slice(next, next + 2 * REACH + 2)
      .some(({ index, tolerance }) => Math.abs(offsetFrom(index, turn)) <= tolerance);
    if (isNear) withEffect++;
    else without++;
  }
  return { withEffect, without };
}

/** No tolerance is larger. */
const REACH = 5;

/**
 * The part of the spread that the fact explains, compared with what the best split explains: at the two levels of the
 * change, and (with half the weight) over all levels of the series.
 */
function association({ labels, groups }: Partition, view: SeriesView): number {
  const { values, order, sides } = view;
  const shared = { values, order };
  const near = labels.map((label, index) => ((sides[index] ?? -1) < 0 ? -1 : label));
  const best = sides.map((side, index) => ((labels[index] ?? -1) < 0 ? -1 : side));
  const local = ratio(
    explainedPart({ ...shared, labels: near, groups: groups.length }),
    explainedPart({ ...shared, labels: best, groups: 2 }),
  );
  if (view.levelCount <= 2) return local;
  const levels = view.levels.map((level, index) => ((labels[index] ?? -1) < 0 ? -1 : level));
  const overall = ratio(
    explainedPart({ ...shared, labels, groups: groups.length }),
    explainedPart({ ...shared, labels: levels, groups: view.levelCount }),
  );
  return (2 * local + overall) / 3;
}

function ratio(part: number, best: number): number {
  return best > 0 ? Math.min(1, Math.max(0, part / best)) : 0;
}

/** Points of a series grouped by the value of a fact. */
export interface Partition {
  /** Number of the group of each point, by first appearance; -1 where the fact is unknown. */
  readonly labels: Int32Array;
  readonly groups: readonly FactValue[];
  /** Where the value is another than the last known one. */
  readonly turns: readonly Turn[];
  /** Known points. */
  readonly count: number;
}

export interface Turn {
  /** First point with the new value, and the last point that had the old one. */
  readonly at: number;
  readonly last: number;
}

function partitionBy(values: readonly (FactValue | undefined)[]): Partition {
  const labels = new Int32Array(values.length).fill(-1);
  const numbers = new Map<FactValue, number>();
  const turns: Turn[] = [];
  let [last, count] = [-1, 0];
  for (const [at, value] of values.entries()) {
    if (value === undefined) continue;
    const label = numbers.get(value) ?? numbers.size;
    numbers.set(value, label);
    labels[at] = label;
    if (last >= 0 && labels[last] !== label) turns.push({ at, last });
    last = at;
    count++;
  }
  return { labels, groups: [...numbers.keys()], turns, count };
}

/** How far a turn is from a place, in points; 0 where it may have happened right there. Negative: before it. */
function offsetFrom(index: number, { at, last }: Turn): number {
  if (at < index) return at - index;
  return last >= index ? last + 1 - index : 0;
}
