import type { JsonObject } from '../../../../platform/core/text/json.ts';
import { mean } from '../../../../stats/summary.ts';
import type { RegressionMethod } from '../method.ts';

/** From here on a value is too far. */
const TOO_FAR = 4;
const IMPROVED = ['', 'in-line +', 'improved', 'improved +', 'improved++'];
const DEGRADED = ['', 'in-line -', 'degraded', 'degraded +', 'degraded++'];

/** How many standard deviations away from the mean: one is in line, four in the bad direction are too many. */
export const stdev: RegressionMethod = {
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
