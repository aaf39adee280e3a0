import type { Unit } from './levels.ts';
import { partsOf, type Suspects } from './search.ts';

/**
 * What the commits may have done, as the part of the whole difference that each unit has: nothing; one commit all of it; two
 * commits a part each; or every commit a little.
 */
export interface Shapes {
  /** Of each suspect, which step column it has: those that no measured commit distinguishes have the same. */
  readonly column: Int32Array;
  /** 1 for the units that have the suspects of the column; the last one is the even spread. */
  readonly columns: readonly Float64Array[];
  /** How much weight the suspects of each step column have together. */
  readonly weights: Float64Array;
  /** Simple ones first: all but those of two commits. */
  readonly list: readonly Shape[];
  readonly simple: number;
}

export interface Shape {
  readonly type: 'none' | 'one' | 'spread' | 'two';
  /** The column of the first commit with its part, and the one of the second commit with the rest. */
  readonly first: number;
  readonly second: number;
  readonly part: number;
  /** Logarithm of the prior probability. */
  readonly log: number;
}

/** Before anything is measured. Somebody speaks of good and bad: there is something, and most of the time one commit did it. */
const PRIOR = { one: 0.75, two: 0.1, spread: 0.05, none: 0.1 };
/** Fewer commits are one or two. */
const SPREAD_FROM = 3;
/** Part that the first of two commits has in the difference: below 0 and above 1 one undoes some of the other. */
const PARTS = [-0.5, 0.3, 0.5, 0.7, 1.5];
/** A commit with more than this part of the difference is the one that made it. */
const MAIN = 0.6;

export function shapesOf(suspects: Suspects, units: readonly Unit[]): Shapes {
  const { column, columns, weights, squares } = stepColumns(suspects, units);
  const total = weights.reduce((a, b) => a + b, 0);
  const spread = Float64Array.from(units, ({ commit }) => {
    const parts = partsOf(suspects, commit);
    return parts.reduce((a, b) => a + b, 0) / parts.length;
  });
  const size = columns.length;
  const spreadShape: Shape = {
    ...{ type: 'spread', first: size, second: size, part: 1, log: Math.log(PRIOR.spread) },
  };
  const simple: Shape[] = [
    { type: 'none', first: 0, second: 0, part: 0, log: Math.log(PRIOR.none) },
    ...(column.length < SPREAD_FROM ? [] : [spreadShape]),
    ...columns.map((_, at): Shape => {
      const log = Math.log((PRIOR.one * (weights[at] ?? 0)) / total);
      return { type: 'one', first: at, second: at, part: 1, log };
    }),
  ];
  return {
    column,
    columns: [...columns, spread],
    weights,
    list: [...simple, ...twoSteps(weights, squares)],
    simple: simple.length,
  };
}

/**
 * The column of the commit that made most of the difference; undefined where no single one did. Two commits of one column
 * count as one: no measured commit lies between them.
 */
export function mainColumn({ type, first, second, part }: Shape): number | undefined {
  if (type === 'one' || (type === 'two' && first === second)) return first;
  if (type !== 'two') return undefined;
  return part > MAIN ? first : 1 - part > MAIN ? second : undefined;
}

/** Pairs of columns, each weighed by its pairs of commits; two commits of one column look like one. */
function twoSteps(weights: Float64Array, squares: Float64Array): readonly Shape[] {
  const total = weights.reduce((a, b) => a + b, 0) ** 2 - squares.reduce((a, b) => a + b, 0);
  const found: Shape[] = [];
  for (let first = 0; first < weights.length; first++)
    for (let second = first; second < weights.length; second++) {
      const product = (weights[first] ?? 0) * (weights[second] ?? 0);
      const pairs = first === second ? product - (squares[first] ?? 0) : 2 * product;
      if (!(pairs > 0)) continue;
      const log = Math.log((PRIOR.two * pairs) / total / PARTS.length);
      for (const part of PARTS) found.push({ type: 'two', first, second, part, log });
    }
  return found;
}

function stepColumns(suspects: Suspects, units: readonly Unit[]) {
  const commits = [...new Set(units.map(({ commit }) => commit))];
  const parts = new Map(commits.map((commit) => [commit, partsOf(suspects, commit)]));
  const known = new Map<string, number>();
  const columns: Float64Array[] = [];
  const column = Int32Array.from(suspects.parents, (_, suspect) => {
    const key = commits.map((commit) => parts.get(commit)?.[suspect] ?? 0).join('');
    const at = known.get(key) ?? columns.length;
    if (at === columns.length) {
      known.set(key, at);
      columns.push(Float64Array.from(units, ({ commit }) => parts.get(commit)?.[suspect] ?? 0));
    }
    return at;
  });
  const [weights, squares] = [new Float64Array(columns.length), new Float64Array(columns.length)];
  for (const [suspect, at] of column.entries()) {
    const weight = suspects.weights[suspect] ?? 0;
    weights[at] = (weights[at] ?? 0) + weight;
    squares[at] = (squares[at] ?? 0) + weight * weight;
  }
  return { column, columns, weights, squares };
}
