import { nextStep } from '../../src/bisect/core/next-step.ts';
import type { Evidence, MeasuredPair, SearchOptions, Suspects } from '../../src/bisect/core/search.ts';
import { seededRandom } from '../../src/stats/random.ts';

/** A repository and a machine that do not exist. */
export interface SimulatedBisect {
  readonly commits: number;
  /** 0.03: the culprit makes everything 3 % slower. */
  readonly step: number;
  /** Relative standard deviation that both sides of a pair share, and that each run has of its own. */
  readonly sharedNoise: number;
  readonly ownNoise: number;
  /** heavy: one run in twenty is disturbed and takes up to twice as long. */
  readonly tails: 'light' | 'heavy';
  /** Part of the commits that do not build. */
  readonly broken: number;
  /** What the place of a side adds to its time, taken away in the next pair, where the sides have changed places. */
  readonly places?: number;
  readonly options: SearchOptions;
}

export interface SimulatedOutcome {
  readonly outcome: 'right' | 'wrong' | 'no-difference';
  readonly pairs: number;
  /** Commits that were built and measured, the bad one included. */
  readonly built: number;
  /** Commits in the answer. */
  readonly named: number;
}

/** One search by the code that `nightmark bisect` uses; the culprit is drawn at random. */
export function simulateBisect(world: SimulatedBisect, seed: number): SimulatedOutcome {
  const random = seededRandom(seed);
  const culprit = Math.floor(random() * world.commits);
  const breaks = Array.from({ length: world.commits }, () => random() < world.broken);
  breaks[world.commits - 1] = false;
  const suspects: Suspects = {
    parents: breaks.map((_, at) => (at === 0 ? [] : [at - 1])),
    weights: breaks.map(() => 1),
  };
  const pairs: MeasuredPair[] = [];
  const skipped = new Set<number>();
  for (;;) {
    const evidence: Evidence = { pairs, skipped, doSidesChangePlaces: world.places !== undefined };
    const step = nextStep({ suspects, evidence, options: world.options });
    const built = new Set(pairs.map(({ commit }) => commit)).size;
    if (step.type === 'no-difference')
      return { outcome: 'no-difference', pairs: pairs.length, built, named: 0 };
    if (step.type === 'found') {
      const { commits } = step.group;
      const outcome = commits.includes(culprit) ? 'right' : 'wrong';
      return { outcome, pairs: pairs.length, built, named: commits.length };
    }
    if (breaks[step.commit]) {
      skipped.add(step.commit);
      continue;
    }
    for (let pair = 0; pair < step.pairs; pair++) {
      const before = pairs.filter(({ commit }) => commit === step.commit).length;
      const place = (world.places ?? 0) * (before % 2 === 0 ? 1 : -1);
      pairs.push({ commit: step.commit, logRatio: place + measure(step.commit >= culprit, world, random) });
    }
  }
}

function measure(isAfter: boolean, world: SimulatedBisect, random: () => number): number {
  const shared = world.sharedNoise * normal(random);
  const time = (factor: number) => {
    const hiccup = world.tails === 'heavy' && random() < 0.05 ? 1 + random() : 1;
    return factor * Math.exp(shared + world.ownNoise * normal(random)) * hiccup;
  };
  return Math.log(time(isAfter ? 1 + world.step : 1) / time(1));
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
