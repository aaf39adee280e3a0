import type { JsonObject } from '../../../platform/core/text/json.ts';

interface BornSeries {
  readonly name: string;
  readonly labels: JsonObject;
  /** The first round that had it. */
  readonly first: number;
}

/** More ways to move on than a workload has. */
const MAX_WAYS = 16;

/**
 * Tells whether another series took the place of one since its last round: a version that moved on, a label that was added.
 * It has the same name, and differs in one label only, or in labels whose values were new together with it.
 */
export function replacementsOf(
  all: readonly BornSeries[],
): (series: Pick<BornSeries, 'name' | 'labels'>, last: number) => boolean {
  const firstOf = new Map<string, number>();
  const valuesOf = ({ labels }: Pick<BornSeries, 'labels'>) =>
    Object.entries(labels).map(([label, value]) => [label, JSON.stringify([label, value])] as const);
  for (const one of all)
    for (const [, value] of valuesOf(one))
      firstOf.set(value, Math.min(firstOf.get(value) ?? one.first, one.first));

  const newest = new Map<string, number>();
  const ways = new Map<string, Map<string, readonly string[]>>();
  for (const one of all) {
    const fresh = valuesOf(one).flatMap(([label, value]) =>
      firstOf.get(value) === one.first ? [label] : [],
    );
    const own = ways.get(one.name) ?? new Map<string, readonly string[]>();
    if (fresh.length > 1 && own.size < MAX_WAYS) own.set(fresh.join('\n'), fresh);
    ways.set(one.name, own);
    for (const left of [...oneLess(one), fresh]) {
      const key = keyOf(one, left);
      newest.set(key, Math.max(newest.get(key) ?? 0, one.first));
    }
  }
  return (series, last) =>
    [...oneLess(series), ...(ways.get(series.name)?.values() ?? [])].some(
      (left) => (newest.get(keyOf(series, left)) ?? -1) >= last,
    );
}

/** No label, or one, left out. */
function oneLess({ labels }: Pick<BornSeries, 'labels'>): readonly (readonly string[])[] {
  return [[], ...Object.keys(labels).map((label) => [label])];
}

function keyOf({ name, labels }: Pick<BornSeries, 'name' | 'labels'>, left: readonly string[]): string {
  const kept = Object.entries(labels).filter(([label]) => !left.includes(label));
  return JSON.stringify([name, kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))]);
}
