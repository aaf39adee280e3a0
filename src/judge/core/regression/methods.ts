import type { JsonObject } from '../../../platform/core/text/json.ts';
import { mean, populationDeviation } from '../../../stats/summary.ts';
import { hunter } from './hunter.ts';
import type { MethodResult, RegressionMethod } from './regression-method.ts';

/** From here on a value is too far. */
const TOO_FAR = 4;
const IMPROVED = ['', 'in-line +', 'improved', 'improved +', 'improved++'];
const DEGRADED = ['', 'in-line -', 'degraded', 'degraded +', 'degraded++'];

/** How many standard deviations away from the mean: one is in line, four in the bad direction are too many. */
const stdev: RegressionMethod = {
  name: 'stdev',
  judge(history, current, { lowerBetter }) {
    const centre = history.length === 0 ? 0 : mean(history);
    const deviation = sampleDeviation(history);
    const found = [1, 2, 3].find((band) => isInside(current - centre, band, deviation)) ?? TOO_FAR;
    const improved = lowerBetter === undefined ? undefined : current < centre === lowerBetter;
    return {
      accepted: improved === true || found < TOO_FAR,
      rating: found / TOO_FAR,
      ...(improved !== undefined && { improved }),
      description: (improved ? IMPROVED : DEGRADED)[found] ?? '',
      details: {
        current_value: current,
        previous_mean: centre,
        std_dev: deviation,
        change: centre === 0 ? 100 : ((current - centre) / centre) * 100,
        delta: current - centre,
        ...bands(history, centre, { deviation, found }),
      },
    };
  },
};

/** With the divisor n - 1. Of a single value it is the value itself: with one value almost everything is in line. */
function sampleDeviation(values: Float64Array): number {
  if (values.length < 2) return values[0] ?? 0;
  const centre = mean(values);
  const squares = values.map((value) => (value - centre) ** 2);
  // Not by way of the deviation with the divisor n: one rounding more would put 99, 100, 101 outside of their first band.
  return Math.sqrt((mean(squares) * values.length) / (values.length - 1));
}

/** Both ends belong to a band, on either side of the mean. */
function isInside(difference: number, band: number, deviation: number): boolean {
  const distance = Math.abs(difference);
  return distance <= band * deviation && (band === 1 || distance >= (band - 1) * deviation);
}

function bands(
  history: Float64Array,
  centre: number,
  { deviation, found }: { readonly deviation: number; readonly found: number },
): JsonObject {
  const entries = [1, 2, 3].flatMap((band) => {
    const inside = history.filter((value) => isInside(value - centre, band, deviation)).length;
    // Without any spread a value lies in the band below and in that above the mean, and counts for both.
    const twice = band > 1 && deviation === 0 ? 2 : 1;
    const share = history.length < 2 ? 0 : ((inside * twice) / history.length) * 100;
    const bound = band > found ? null : band === found;
    return [[`std_dev_${band}`, share] as const, [`std_dev_${band}_bound`, bound] as const];
  });
  return Object.fromEntries(entries);
}

const THRESHOLD = 3;

/** Distance from the mean in standard deviations. A history that never varies, or is empty, is not a reason to stop. */
const zscore: RegressionMethod = {
  name: 'zscore',
  judge(history, current, { lowerBetter }) {
    if (history.length === 0) return notEnough(current, null);
    const { centre, deviation, z } = measure(history, current);
    const improved = current !== centre && current > centre === !(lowerBetter ?? false);
    if (history.length === 1) return notEnough(current, centre);
    if (deviation > 0) return judged({ current, centre, deviation, z }, improved);
    const isSame = current === centre;
    return {
      accepted: isSame,
      rating: isSame ? 0 : 1,
      improved,
      description: `the history never varied: any other value than ${centre} is a change`,
      details: { ...facts(current, centre), zscore: null, stddev: 0 },
    };
  },
};

/** To the letter: infinite and undefined scores, and more is better whatever the direction. */
const originalZscore: RegressionMethod = {
  name: 'zscore',
  judge(history, current) {
    const { centre, deviation, z } = measure(history, current);
    if (history.length === 1) return notEnough(current, centre);
    return judged({ current, centre, deviation, z }, z > 0);
  },
};

interface Score {
  readonly current: number;
  readonly centre: number;
  readonly deviation: number;
  readonly z: number;
}

function measure(history: Float64Array, current: number): Score {
  const isEmpty = history.length === 0;
  const centre = isEmpty ? Number.NaN : mean(history);
  const deviation = isEmpty ? Number.NaN : populationDeviation(history);
  return { current, centre, deviation, z: (current - centre) / deviation };
}

function judged({ current, centre, deviation, z }: Score, improved: boolean): MethodResult {
  const accepted = Math.abs(z) < THRESHOLD;
  return {
    accepted,
    rating: Math.abs(z) / THRESHOLD,
    improved,
    description: `z-score ${accepted ? 'lower' : 'greater'} than threshold`,
    details: { ...facts(current, centre), zscore: z, stddev: deviation },
  };
}

function notEnough(current: number, centre: number | null): MethodResult {
  return {
    accepted: undefined,
    improved: false,
    description: 'Not enough historical values',
    details: { ...facts(current, centre), zscore: 0, stddev: 0 },
  };
}

function facts(current: number, centre: number | null) {
  return { current_value: current, historical_mean: centre, threshold: THRESHOLD };
}

/** The methods that are known by name, beside our own. */
export const METHODS: readonly RegressionMethod[] = [hunter, stdev, zscore];
/** The same without our mends. */
const ORIGINAL_METHODS: readonly RegressionMethod[] = [hunter, stdev, originalZscore];

export function methodNamed(name: string, isCompat = false): RegressionMethod | undefined {
  return (isCompat ? ORIGINAL_METHODS : METHODS).find((method) => method.name === name);
}
