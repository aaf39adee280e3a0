import { NOISE_PRIOR, type NoisePrior, normalised, SCALES, TAILS } from './value-noise.ts';

/** Series that the built-in prior counts for: with a few of them it still decides, with a hundred they do. */
const BUILT_IN = 10;

/** Enough for weights to stay where they are; more would fit the last digit. */
const ROUNDS = 15;

/**
 * A prior for each series of a group that is measured in the same way, such as all times of an experiment on one machine:
 * how noisy the others are, and how often they have spikes. Found by expectation and maximisation: how probable each scale
 * and each tail is in each series, and from all of them how common it is. A series never counts for itself: alone, it gets
 * the built-in prior. `likelihoods` are those of `likelihoodOf`.
 */
export function poolNoise(likelihoods: readonly Float32Array[]): readonly NoisePrior[] {
  let pooled = NOISE_PRIOR;
  for (let round = 0; round < ROUNDS && likelihoods.length > 1; round++)
    pooled = asPrior(expected(likelihoods, pooled));
  const all = expected(likelihoods, pooled);
  return likelihoods.map((one) => {
    const own = expected([one], pooled);
    return asPrior({
      scaleWeights: all.scaleWeights.map((weight, place) => weight - (own.scaleWeights[place] ?? 0)),
      tailWeights: all.tailWeights.map((weight, place) => weight - (own.tailWeights[place] ?? 0)),
    });
  });
}

/**
 * The prior of each series by its group; undefined where it has none, or is the only one of it whose noise is known.
 * `likelihoodAt` is asked once for each series that has a group.
 */
export function pooledPriors(
  groups: readonly (string | undefined)[],
  likelihoodAt: (place: number) => Float32Array | undefined,
): readonly (NoisePrior | undefined)[] {
  const priors: (NoisePrior | undefined)[] = groups.map(() => undefined);
  for (const members of placesByGroup(groups).values()) {
    const known = members.flatMap((place) => {
      const likelihood = likelihoodAt(place);
      return likelihood ? [{ place, likelihood }] : [];
    });
    if (known.length < 2) continue;
    const pooled = poolNoise(known.map(({ likelihood }) => likelihood));
    known.forEach(({ place }, at) => {
      priors[place] = pooled[at] && rounded(pooled[at]);
    });
  }
  return priors;
}

/** It is stored with what it judged, and more digits would mean nothing. */
function rounded({ scaleWeights, tailWeights }: NoisePrior): NoisePrior {
  const short = (weights: readonly number[]) => weights.map((weight) => Number(weight.toPrecision(4)));
  return { scaleWeights: short(scaleWeights), tailWeights: short(tailWeights) };
}

function placesByGroup(groups: readonly (string | undefined)[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  groups.forEach((group, place) => {
    if (group === undefined) return;
    const known = places.get(group);
    if (known) known.push(place);
    else places.set(group, [place]);
  });
  return places;
}

interface Counts {
  readonly scaleWeights: Float64Array;
  readonly tailWeights: Float64Array;
}

/** In how many of the series each scale and each tail is expected. */
function expected(likelihoods: readonly Float32Array[], prior: NoisePrior): Counts {
  const scaleWeights = new Float64Array(SCALES.length);
  const tailWeights = new Float64Array(TAILS.length);
  const scales = new Float64Array(SCALES.length);
  const tails = new Float64Array(TAILS.length);
  for (const likelihood of likelihoods) {
    tails.fill(0);
    let total = 0;
    for (let place = 0; place < scales.length; place++) {
      const scaleWeight = prior.scaleWeights[place] ?? 0;
      let sum = 0;
      for (let tail = 0; tail < tails.length; tail++) {
        const weight = scaleWeight * (prior.tailWeights[tail] ?? 0);
        const joint = (likelihood[place * tails.length + tail] ?? 0) * weight;
        tails[tail] = (tails[tail] ?? 0) + joint;
        sum += joint;
      }
      scales[place] = sum;
      total += sum;
    }
    scales.forEach((sum, place) => {
      scaleWeights[place] = (scaleWeights[place] ?? 0) + sum / total;
    });
    tails.forEach((sum, tail) => {
      tailWeights[tail] = (tailWeights[tail] ?? 0) + sum / total;
    });
  }
  return { scaleWeights, tailWeights };
}

function asPrior({ scaleWeights, tailWeights }: Counts): NoisePrior {
  const withBuiltIn = (counts: Float64Array, builtIn: readonly number[]) =>
    normalised(builtIn.map((weight, place) => Math.max(0, counts[place] ?? 0) + BUILT_IN * weight));
  return {
    scaleWeights: withBuiltIn(scaleWeights, NOISE_PRIOR.scaleWeights),
    tailWeights: withBuiltIn(tailWeights, NOISE_PRIOR.tailWeights),
  };
}
