import { findCoreNoise } from './core-noise.ts';
import { findEventNoise } from './event-noise.ts';
import type { NoiseReading } from './noise-reading.ts';
import type { NoisePlan, NoiseWarning } from './noise-warning.ts';
import { findSettingNoise } from './setting-noise.ts';

/**
 * What may have disturbed a comparison, from a reading before it and one after it; without the second one, what is
 * known beforehand. What the machine does not tell gives no warning.
 */
export function findNoise(
  before: NoiseReading,
  after: NoiseReading | undefined,
  plan: NoisePlan,
): readonly NoiseWarning[] {
  return [
    ...findCoreNoise(before, plan),
    ...(after ? findEventNoise(before, after) : []),
    ...findSettingNoise(before),
  ];
}
