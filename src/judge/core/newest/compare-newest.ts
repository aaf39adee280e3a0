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
  const now = newest.map(measure.from);
  const centre = levelCentre(past);
  const from = (value: number) => withoutRounding(value - centre);
  const distance = from(newCentre(now));
  const residuals = past.map(from);
  const variances = meanVariances(past.length, now.length, neighbourCorrelation(residuals));
  const tick = measure.stepOf(resolutionOf(history));
  const predictive = predict(
    {
      residuals,
      centreVariance: variances.history,
      differenceVariance: variances.difference,
      tick,
      tailPower: Math.ceil(now.length / 2),
    },
    NOISE_PRIOR,
  );
  const [way, side] = [Math.abs(distance), Math.sign(distance)];
  const outwards = residuals.map((residual) => side * residual);
  const least = leastProbability(outwards, { newest: now.map((value) => side * from(value)), tick });
  return {
    measure,
    centre,
    distance,
    p: way === 0 ? 1 : Math.max(least, predictive.p(way)),
    error: predictive.scale * Math.sqrt(variances.difference),
    equals: countFrom(outwards, way),
    chanceBeyond: predictive.p,
    reach: (probability) => Math.max(predictive.reach(probability), least > probability ? way : 0),
  };
}

const ROUNDING = 1e-12;

/** What the last bits of a number say is no distance; beyond a million times the level only overflow could follow. */
function withoutRounding(distance: number): number {
  if (Math.abs(distance) < ROUNDING) return 0;
  return Math.max(-1e6, Math.min(1e6, distance));
}

/**
 * What was there k times in n values comes again, and what never was may come once in n + 1: no model of the noise may
 * call that less likely. The latter is said only of the last digit, or else few values could show nothing. Several new
 * values lie out there by chance only if at least half of them do, each by itself.
 */
function leastProbability(
  outwards: Float64Array,
  { newest, tick }: { readonly newest: Float64Array; readonly tick: number },
): number {
  const farthest = newest.toSorted().reverse();
  let least = 1;
  let ways = 1;
  farthest.forEach((way, place) => {
    ways *= (newest.length - place) / (place + 1);
    const count = place + 1;
    if (2 * count < newest.length || way <= 0) return;
    const equals = countFrom(outwards, way);
    const isUnseen = equals === 0 && way > 1.5 * tick;
    least = isUnseen ? 0 : Math.min(least, ways * ((equals + 1) / (outwards.length + 1)) ** count);
  });
  return least;
}

function countFrom(outwards: Float64Array, way: number): number {
  let count = 0;
  for (const residual of outwards) if (residual >= way - ROUNDING) count++;
  return count;
}
