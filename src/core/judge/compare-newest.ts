import { meanVariances, neighbourCorrelation } from './correlated-means.ts';
import { levelCentre, newCentre } from './level-centre.ts';
import { NOISE_PRIOR } from './noise-prior.ts';
import { predict } from './predictive.ts';
import { resolutionOf } from './resolution.ts';
import { type Measure, measureFor } from './value-measure.ts';

/** How far new values lie from their level, and how far they may by chance. */
export interface NewestDistance {
  readonly measure: Measure;
  /** Centre of the level and distance of the new values from it, as measured. */
  readonly centre: number;
  readonly distance: number;
  /** Probability of this distance if nothing changed. */
  readonly p: number;
  /** Standard error of the distance, as most likely seen. */
  readonly error: number;
  /** Earlier values that lie as far out on the same side. */
  readonly equals: number;
  /** Probability to go further than this by chance, and the way that is gone with such a probability. */
  chanceBeyond(distance: number): number;
  reach(probability: number): number;
}

/** Compares finite new values, at least one, with the values of their level, of which there are at least three. */
export function compareNewest(history: Float64Array, newest: Float64Array): NewestDistance {
  const measure = measureFor(history, newest);
  const past = history.map(measure.from);
  const centre = levelCentre(past);
  const distance = newCentre(newest.map(measure.from)) - centre;
  // Beyond a million times the level only overflow could follow.
  const residuals = past.map((value) => Math.max(-1e6, Math.min(1e6, value - centre)));
  const variances = meanVariances(past.length, newest.length, neighbourCorrelation(residuals));
  const tick = measure.stepOf(resolutionOf(history));
  const predictive = predict(
    {
      residuals,
      centreVariance: variances.history,
      differenceVariance: variances.difference,
      tick,
      tailPower: Math.ceil(newest.length / 2),
    },
    NOISE_PRIOR,
  );
  const way = Math.abs(distance);
  const equals = residuals.filter((one) => Math.sign(distance) * one >= way).length;
  const least = leastProbability({ equals, count: past.length, isOneTick: way <= 1.5 * tick });
  return {
    measure,
    centre,
    distance,
    p: way === 0 ? 1 : Math.max(least, predictive.p(way)),
    error: predictive.scale * Math.sqrt(variances.difference),
    equals,
    chanceBeyond: predictive.p,
    reach: (probability) => Math.max(predictive.reach(probability), least > probability ? way : 0),
  };
}

/**
 * What was there k times in n values comes again, and what never was may come once in n + 1: no model of the noise may
 * call that less likely. The latter is said only of the last digit, or else few values could show nothing.
 */
function leastProbability(seen: {
  readonly equals: number;
  readonly count: number;
  readonly isOneTick: boolean;
}): number {
  return seen.equals > 0 || seen.isOneTick ? (seen.equals + 1) / (seen.count + 1) : 0;
}
