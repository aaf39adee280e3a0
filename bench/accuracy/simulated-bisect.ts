import { nextStep } from '../../src/bisect/core/next-step.ts';
import { GOOD, type MeasuredPair, type SearchOptions, type Suspects } from '../../src/bisect/core/search.ts';
import { seededRandom } from '../../src/stats/random.ts';

/** A repository and a machine that do not exist. */
export interface SimulatedBisect {
  readonly commits: number;
  /** 0.03: good and bad differ by 3 %. */
  readonly step: number;
  /** one: a commit drawn at random did it; two: two of them, half each; spread: each the same part. */
  readonly by: 'one' | 'two' | 'spread';
  /** Relative standard deviation that each run has of its own; the sides of a pair share nothing else that matters. */
  readonly noise: number;
  /** t3: of Student with 3 degrees; heavy: one run in 20 takes up to twice as long; disturbed: a fifth of the pairs has 6 % more. */
  readonly tails?: 'normal' | 't3' | 'heavy' | 'disturbed';
  /** Correlation of the noise of a pair with that of the one before. */
  readonly correlation?: number;
  /** Standard deviation of what each build adds to all of its times. */
  readonly builds?: number;
  /** Building a commit again gives the same program: what it adds stays. */
  readonly isReproducible?: boolean;
  /** Part of the commits that do not build. */
  readonly broken?: number;
  /** What the order of the sides adds. */
  readonly places?: number;
  /** Relative standard deviation of a run in a second measure, the CPU time. */
  readonly cpuNoise?: number;
  readonly options: SearchOptions;
}

export interface SimulatedOutcome {
  readonly outcome: 'right' | 'wrong' | 'no-difference' | 'several' | 'undecided';
  readonly certainty: number;
  readonly pairs: number;
  /** Builds of all commits, those of the good one included; commits among them. */
  readonly builds: number;
  readonly commits: number;
  /** Commits in the answer. */
  readonly named: number;
}

/** One search by the code that `nightmark bisect` uses. */
export function simulateBisect(world: SimulatedBisect, seed: number): SimulatedOutcome {
  const random = seededRandom(seed);
  const culprit = Math.floor(random() * world.commits);
  // Another one.
  const other = (culprit + 1 + Math.floor(random() * (world.commits - 1))) % world.commits;
  const breaks = Array.from({ length: world.commits }, () => random() < (world.broken ?? 0));
  breaks[world.commits - 1] = false;
  const suspects: Suspects = {
    parents: breaks.map((_, at) => (at === 0 ? [] : [at - 1])),
    weights: breaks.map(() => 1),
  };
  const isOne = world.by === 'one' && world.step > 0;
  const partAt = (commit: number) => {
    if (commit === GOOD) return 0;
    if (world.by === 'spread') return (commit + 1) / world.commits;
    const second = world.by === 'two' ? other : culprit;
    return ((commit >= culprit ? 1 : 0) + (commit >= second ? 1 : 0)) / 2;
  };
  const effects = new Map<string, number>();
  const buildEffect = (commit: number, build: number) => {
    const key = world.isReproducible ? `${commit}` : `${commit} ${build}`;
    const found = effects.get(key) ?? (world.builds ?? 0) * normal(random);
    effects.set(key, found);
    return found;
  };
  const noise = noiseOf(world, random);
  const cpu = world.cpuNoise === undefined ? undefined : noiseOf({ noise: world.cpuNoise }, random);
  const pairs: MeasuredPair[] = [];
  const skipped = new Set<number>();
  const counts = new Map<string, number>();
  let rounds = 0;
  for (;;) {
    const step = nextStep({ suspects, evidence: { pairs, skipped }, options: world.options, seed });
    if (step.type !== 'measure') {
      const cost = {
        pairs: pairs.length,
        builds: 1 + new Set(pairs.map(({ commit, build }) => `${commit} ${build}`)).size,
        commits: new Set(pairs.map(({ commit }) => commit)).size,
      };
      if (step.type !== 'found') return { outcome: step.type, certainty: 0, named: 0, ...cost };
      const outcome = isOne && step.commits.includes(culprit) ? 'right' : 'wrong';
      return { outcome, certainty: step.certainty, named: step.commits.length, ...cost };
    }
    for (const visits of step.rounds) {
      for (const { commit, build } of visits) {
        if (breaks[commit]) skipped.add(commit);
        if (skipped.has(commit)) continue;
        const key = `${commit} ${build}`;
        const before = counts.get(key) ?? 0;
        counts.set(key, before + 1);
        const order = (before + Math.floor(seed / 7)) % 2 === 0 ? 'AB' : 'BA';
        const place = (world.places ?? 0) * (order === 'AB' ? 1 : -1);
        const level =
          partAt(commit) * Math.log1p(world.step) + buildEffect(commit, build) - buildEffect(GOOD, 0);
        const logRatios = { wall: level + place + noise(), ...(cpu && { cpu: level + cpu() }) };
        pairs.push({ commit, build, goodBuild: 0, round: rounds, order, logRatios });
      }
      rounds++;
    }
  }
}

type PairNoise = Pick<SimulatedBisect, 'noise' | 'tails' | 'correlation'>;

function noiseOf({ noise, tails, correlation = 0 }: PairNoise, random: () => number): () => number {
  let last = normal(random);
  return () => {
    last = correlation * last + Math.sqrt(1 - correlation ** 2) * normal(random);
    const usual = noise * Math.SQRT2;
    if (tails === 't3') {
      const chi = normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2;
      // Its standard deviation is the root of 3.
      return (usual * normal(random)) / Math.sqrt(chi / 3) / Math.sqrt(3);
    }
    if (tails === 'disturbed') return usual * last + (random() < 0.2 ? 0.06 : 0);
    if (tails === 'heavy') {
      const hiccup = () => Math.log(random() < 0.05 ? 1 + random() : 1);
      return usual * last + hiccup() - hiccup();
    }
    return usual * last;
  };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
