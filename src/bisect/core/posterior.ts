import { normalCdf } from '../../stats/distributions.ts';
import { dot, factorize, logDeterminant, whiten } from './cholesky.ts';
import { FLOOR_PAIRS, fitLevels, type LevelFit, type Unit, unitPairs } from './levels.ts';
import { badOf, type Evidence, GOOD, type Suspects } from './search.ts';
import { mainColumn, type Shape, type Shapes, shapesOf } from './shapes.ts';

/** What the pairs of one measure say. */
export interface Posterior {
  /** Of each commit, that it made the difference, or most of it. */
  readonly one: Float64Array;
  /** That two commits did, by the earlier one and by the later one, half in each; that all did, a little each; that none did. */
  readonly two: readonly [Float64Array, Float64Array];
  readonly spread: number;
  readonly none: number;
  /** `one` in each case of how much builds differ, and how likely the case is. */
  readonly cases: readonly { readonly probability: number; readonly one: Float64Array }[];
  /** The whole difference as a logarithm, where there is one. */
  readonly shift: Estimate;
  /** What the builds of bad and good were measured to differ by, whatever the reason. */
  readonly ends: Estimate;
  /** That the latter is smaller than the smallest effect of interest. */
  readonly same: number;
  /** Each unit as a logarithm of its value over that of the good commit, with what pairs leave unknown of it. */
  readonly levels: readonly (Unit & Estimate)[];
  /** Standard deviation of one pair; of rounds, in those of a pair. */
  readonly noise: number;
  readonly rounds: number;
  /** Mean of the standard deviation of builds of like commits, and of that part which another build of a commit has anew. */
  readonly builds: number;
  readonly rebuilds: number;
}

export interface Estimate {
  readonly mean: number;
  readonly error: number;
}

/**
 * The levels of units are normal around the shape times the difference. Their covariance has what pairs leave unknown, what
 * each build has of its own, and what the sides have in common. Shapes, sizes of the difference and kinds of noise are
 * weighed by how well they explain the levels, so that what is unknown of one does not make the others too sure.
 */
export function posteriorOf(
  suspects: Suspects,
  evidence: Evidence,
  { measure, minEffect }: { readonly measure: string; readonly minEffect: number },
): Posterior {
  const data = unitPairs(evidence.pairs, measure);
  const shapes = shapesOf(suspects, data.units);
  const fits = new Map(ROUNDS.map((rounds) => [rounds, fitLevels(data, rounds)]));
  const pairs = data.value.length + FLOOR_PAIRS;
  const [redrawn, kept] = [true, false].map((isRedrawn) => sharedBuilds(data.units, isRedrawn)) as [
    Float64Array,
    Float64Array,
  ];
  let best = Number.NEGATIVE_INFINITY;
  // With one suspect, what comes back with each build of it is its doing.
  const noises =
    suspects.parents.length > 1 ? NOISES : NOISES.filter((it) => it.builds === 0 || it.isRedrawn);
  const weighed = noises.map((noise) => {
    const fit = fits.get(noise.rounds) as LevelFit; // one for each
    const shared = noise.isRedrawn ? redrawn : kept;
    const found = weigh(shapes, { noise, fit, shared, pairs, best });
    best = Math.max(best, found.log + Math.log(Math.max(...found.masses)));
    return { noise, fit, ...found };
  });
  return sumUp(suspects, shapes, { weighed, best, units: data.units, minEffect });
}

/** Standard deviation of rounds, in those of a pair, equally likely. */
const ROUNDS = [0, 1, 4];
/** Standard deviation of what a build adds to all times of it, and how likely that is. */
const BUILDS: readonly (readonly [number, number])[] = [
  [0, 0.5],
  [0.004, 0.15],
  [0.01, 0.15],
  [0.022, 0.14],
  [0.06, 0.06],
];
/** Standard deviation of the difference of good and bad, equally likely. */
const SHIFTS = [0.01, 0.05, 0.2, 1];
/** Standard deviation of what a pair has in common with all others: a side may be the slower one without any reason. */
const OFFSET = 0.01;
/** Noise whose best shape is so much less likely, as a logarithm, is not asked about two commits. */
const NEGLIGIBLE = 7;

/** Less likely than the best by so much, as a logarithm: of no weight. */
const HOPELESS = 20;

interface Noise {
  readonly rounds: number;
  readonly builds: number;
  /** Another build of a commit has another effect; otherwise it comes back, as with a compiler that gives the same program. */
  readonly isRedrawn: boolean;
  readonly log: number;
}

const NOISES: readonly Noise[] = ROUNDS.flatMap((rounds) =>
  BUILDS.flatMap(([builds, weight]) =>
    builds === 0
      ? [{ rounds, builds, isRedrawn: false, log: Math.log(weight) }]
      : [true, false].map((isRedrawn) => ({ rounds, builds, isRedrawn, log: Math.log(weight / 2) })),
  ),
);

interface Weighed {
  /** Probability of each shape, times e to the minus `log`. */
  readonly masses: Float64Array;
  readonly log: number;
  /** The difference, where there is one. */
  readonly shift: Moments;
}

function weigh(
  { columns, list, simple }: Shapes,
  given: {
    readonly noise: Noise;
    readonly fit: LevelFit;
    readonly shared: Float64Array;
    readonly pairs: number;
    readonly best: number;
  },
): Weighed {
  const { noise, fit, pairs } = given;
  const size = fit.estimate.length;
  const factor = factorize(covariance(fit, noise, given.shared), size);
  const level = whiten(factor, size, fit.estimate);
  const whole = fit.rest + dot(level, level);
  const white = columns.map((column) => whiten(factor, size, column));
  const products = white.map((column) => dot(column, level));
  const gram = white.map((one) => white.map((other) => dot(one, other)));
  const base = noise.log + fit.log - 0.5 * logDeterminant(factor, size);
  const sizes = SHIFTS.map((shift) => (shift * shift) / fit.variance);
  const squares = new Float64Array(list.length);
  const explained = new Float64Array(list.length);
  // Of each shape, more than it explains with any size of the difference.
  const bounds = new Float64Array(list.length).fill(Number.NEGATIVE_INFINITY);
  let log = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < list.length; index++) {
    if (index === simple && log < given.best - NEGLIGIBLE) break;
    const { type, first, second, part, log: prior } = list[index] as Shape;
    const rest = 1 - part;
    if (type !== 'none') {
      const [row, other] = [gram[first] as number[], gram[second] as number[]];
      squares[index] =
        part * part * (row[first] as number) +
        2 * part * rest * (row[second] as number) +
        rest * rest * (other[second] as number);
      explained[index] = part * (products[first] as number) + rest * (products[second] as number);
    }
    const gone = (explained[index] as number) ** 2 / ((squares[index] as number) || 1);
    const bound = base + prior - 0.5 * pairs * Math.log(whole - gone);
    bounds[index] = bound;
    if (bound > log) log = bound;
  }
  const masses = new Float64Array(list.length);
  const shift = new Moments();
  for (let index = 0; index < list.length; index++) {
    if ((bounds[index] as number) < Math.max(log, given.best) - HOPELESS) continue;
    const { type, log: prior } = list[index] as Shape;
    const [square, product] = [squares[index] as number, explained[index] as number];
    for (const ratio of sizes) {
      const grown = 1 + ratio * square;
      const left = whole - (ratio * product * product) / grown;
      const mass = Math.exp(base + prior - 0.5 * Math.log(grown) - 0.5 * pairs * Math.log(left) - log);
      masses[index] = (masses[index] as number) + mass;
      if (type === 'none') continue;
      shift.add(mass, (ratio * product) / grown, Math.sqrt(((ratio / grown) * left) / pairs));
    }
  }
  return { masses, log, shift };
}

/** Of the levels, in variances of a pair. */
function covariance({ inverse, variance }: LevelFit, noise: Noise, shared: Float64Array): Float64Array {
  const own = noise.builds ** 2 / variance;
  const common = OFFSET ** 2 / variance;
  return inverse.map((value, index) => value + own * (shared[index] ?? 0) + common);
}

/** How much of the effect of builds two units share: a level is the effect of one build less that of a build of the good commit. */
function sharedBuilds(units: readonly Unit[], isRedrawn: boolean): Float64Array {
  const same = (a: number, aBuild: number, b: number, bBuild: number) =>
    a === b && (!isRedrawn || aBuild === bBuild) ? 1 : 0;
  return Float64Array.from(
    units.flatMap((a) =>
      units.map(
        (b) =>
          same(a.commit, a.build, b.commit, b.build) -
          same(a.commit, a.build, GOOD, b.goodBuild) -
          same(GOOD, a.goodBuild, b.commit, b.build) +
          same(GOOD, a.goodBuild, GOOD, b.goodBuild),
      ),
    ),
  );
}

interface Found {
  readonly weighed: readonly (Weighed & { readonly noise: Noise; readonly fit: LevelFit })[];
  readonly best: number;
  readonly units: readonly Unit[];
  readonly minEffect: number;
}

function sumUp(suspects: Suspects, shapes: Shapes, { weighed, best, units, minEffect }: Found): Posterior {
  const size = shapes.weights.length;
  const [one, earlier, later] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const cases = new Map<string, { mass: number; one: Float64Array }>();
  const mains = shapes.list.map(mainColumn);
  const limit = Math.log1p(minEffect);
  const [shift, ends] = [new Moments(), new Moments()];
  let [total, none, spread, same, pair, rounds, builds, rebuilds] = [0, 0, 0, 0, 0, 0, 0, 0];
  let [most, likeliest] = [0, weighed[0]?.fit as LevelFit]; // there are always kinds of noise
  for (const { noise, fit, masses, log, shift: own } of weighed) {
    const scale = Math.exp(log - best);
    shift.merge(own, scale);
    const key = `${noise.builds} ${noise.isRedrawn}`;
    const here = cases.get(key) ?? { mass: 0, one: new Float64Array(size) };
    cases.set(key, here);
    let mass = 0;
    for (const [index, { type, first, second }] of shapes.list.entries()) {
      const weight = scale * (masses[index] ?? 0);
      mass += weight;
      const main = mains[index];
      if (main !== undefined) {
        add(one, main, weight);
        add(here.one, main, weight);
      } else if (type === 'none') none += weight;
      else if (type === 'spread') spread += weight;
      else {
        add(earlier, first, weight / 2);
        add(later, second, weight / 2);
      }
    }
    if (mass === 0) continue;
    if (mass > most) [most, likeliest] = [mass, fit];
    total += mass;
    here.mass += mass;
    const end = endsOf(units, fit, { bad: badOf(suspects), builds: noise.isRedrawn ? noise.builds : 0 });
    ends.add(mass, end.mean, end.error);
    same += mass * (normalCdf((limit - end.mean) / end.error) - normalCdf((-limit - end.mean) / end.error));
    pair += mass * Math.sqrt(fit.variance);
    rounds += mass * noise.rounds;
    builds += mass * noise.builds;
    rebuilds += mass * (noise.isRedrawn ? noise.builds : 0);
  }
  const perCommit = (masses: Float64Array, whole: number) =>
    Float64Array.from(shapes.column, (column, commit) => {
      const part = (suspects.weights[commit] ?? 0) / (shapes.weights[column] ?? 1);
      return ((masses[column] ?? 0) * part) / whole;
    });
  return {
    one: perCommit(one, total),
    two: [perCommit(earlier, total), perCommit(later, total)],
    spread: spread / total,
    none: none / total,
    cases: [...cases.values()].flatMap((it) =>
      it.mass > 0 ? [{ probability: it.mass / total, one: perCommit(it.one, it.mass) }] : [],
    ),
    levels: levelsOf(units, likeliest),
    ...{ shift: shift.estimate(), ends: ends.estimate(), same: same / total },
    ...{ noise: pair / total, rounds: rounds / total, builds: builds / total, rebuilds: rebuilds / total },
  };
}

function levelsOf(units: readonly Unit[], { estimate, inverse, variance }: LevelFit): Posterior['levels'] {
  return units.map((unit, at) => {
    const error = Math.sqrt((inverse[at * units.length + at] ?? 0) * variance);
    return { ...unit, mean: estimate[at] ?? 0, error };
  });
}

/** The difference of the builds of bad and good. Without a further build of the good one it is its distance from itself. */
function endsOf(
  units: readonly Unit[],
  { estimate, inverse, variance }: LevelFit,
  { bad, builds }: { readonly bad: number; readonly builds: number },
): Estimate {
  const size = units.length;
  const of = (commit: number) => [...units.keys()].filter((at) => units[at]?.commit === commit);
  const [bads, goods] = [of(bad), of(GOOD)];
  const weights = new Float64Array(size);
  for (const at of bads) weights[at] = 1 / bads.length;
  for (const at of goods) weights[at] = -1 / goods.length;
  let pairs = 0;
  for (const [a, weight] of weights.entries())
    pairs += weight * dot(weights, inverse.subarray(a * size, (a + 1) * size));
  const drawn = builds ** 2 * (1 / Math.max(1, bads.length) + 1 / Math.max(1, goods.length));
  const square = pairs * variance + drawn + (goods.length === 0 ? OFFSET ** 2 : 0);
  return { mean: dot(weights, estimate), error: Math.sqrt(square) };
}

/** Mean and standard deviation of a mixture. */
class Moments {
  #weight = 0;
  #sum = 0;
  #squares = 0;

  add(weight: number, mean: number, error: number): void {
    this.#weight += weight;
    this.#sum += weight * mean;
    this.#squares += weight * (mean * mean + error * error);
  }

  /** Adds another mixture, with all of its weights times `scale`. */
  merge(other: Moments, scale: number): void {
    this.#weight += scale * other.#weight;
    this.#sum += scale * other.#sum;
    this.#squares += scale * other.#squares;
  }

  estimate(): Estimate {
    if (this.#weight === 0) return { mean: 0, error: 0 };
    const mean = this.#sum / this.#weight;
    return { mean, error: Math.sqrt(Math.max(0, this.#squares / this.#weight - mean * mean)) };
  }
}

function add(to: Float64Array, at: number, more: number): void {
  to[at] = (to[at] ?? 0) + more;
}
