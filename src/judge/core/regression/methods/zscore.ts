import { mean, populationDeviation } from '../../../../stats/summary.ts';
import type { MethodResult, RegressionMethod } from '../method.ts';

const THRESHOLD = 3;

/** Distance from the mean in standard deviations. A history that never varies, or is empty, is no reason to stop. */
export const zscore: RegressionMethod = {
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
export const originalZscore: RegressionMethod = {
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
