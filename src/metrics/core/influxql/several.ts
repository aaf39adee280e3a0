import { seededRandom } from '../../../stats/random.ts';
import type { Call } from './check-calls.ts';
import { isRef, refusal } from './check-calls.ts';
import type { Group } from './groups.ts';
import { compareCells } from './reduce.ts';
import type { Point } from './transform.ts';
import { type Cell, cellAt, type Vector } from './vector.ts';

interface Range {
  readonly low: number;
  readonly high: number;
}

/** Each value once, by first appearance. */
export function distinctPoints(vector: Vector, { low, high }: Range): readonly Cell[] {
  const seen = new Set<Cell>();
  for (let i = low; i < high; i++) seen.add(cellAt(vector, i));
  return [...seen];
}

/** The points of top() and bottom(), in the order of time; with tags, the best of each tag first. */
export function chooseMost(
  { name, args }: Call,
  vector: Vector,
  { low, high, members, group }: Range & { readonly members: readonly number[]; readonly group: Group },
): readonly Point[] {
  const last = args.at(-1);
  if (last?.kind !== 'number' || last.integer === undefined) {
    throw refusal(`expected integer as last argument in ${name}(), found ${last?.kind ?? 'nothing'}`);
  }
  const sign = name === 'top' ? -1 : 1;
  const rows = Array.from({ length: high - low }, (_, i) => low + i);
  rows.sort((a, b) => sign * compareCells(cellAt(vector, a), cellAt(vector, b)) || a - b);
  const tags = args.slice(1, -1).filter(isRef);
  const seen = new Set<string>();
  const best =
    tags.length === 0
      ? rows
      : rows.filter((row) => {
          const member = group.members[members[vector.from?.[row] ?? 0] ?? 0]?.member;
          const key = tags.map((tag) => member?.tags.get(tag.name) ?? '').join('\0');
          return !seen.has(key) && seen.add(key);
        });
  return best
    .slice(0, last.value)
    .sort((a, b) => a - b)
    .map((index) => ({
      ms: vector.ms[index] as number,
      ns: vector.ns[index] as number,
      cell: cellAt(vector, index),
      index,
    }));
}

/** So many points of a range, each as likely as any other; the same ones whenever the same is asked. */
export function samplePoints({ args }: Call, vector: Vector, { low, high }: Range): readonly Point[] {
  const wanted = args[1]?.kind === 'number' ? args[1].value : 1;
  const kept = Array.from({ length: Math.min(wanted, high - low) }, (_, i) => low + i);
  const random = seededRandom(SAMPLE_SEED);
  // Algorithm R (Vitter, 1985): the i-th takes the place of one of those kept with probability wanted / i.
  for (let i = low + kept.length; i < high; i++) {
    const place = Math.floor(random() * (i - low + 1));
    if (place < kept.length) kept[place] = i;
  }
  return kept
    .sort((a, b) => a - b)
    .map((index) => ({ ...momentOf(vector, index), cell: cellAt(vector, index), index }));
}

const SAMPLE_SEED = 1;

function momentOf({ ms, ns }: Vector, index: number): { readonly ms: number; readonly ns: number } {
  return { ms: ms[index] as number, ns: ns[index] as number };
}
