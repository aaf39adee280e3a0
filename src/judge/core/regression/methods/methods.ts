import type { RegressionMethod } from '../method.ts';
import { hunter } from './hunter.ts';
import { stdev } from './stdev.ts';
import { originalZscore, zscore } from './zscore.ts';

/** The methods that are known by name, beside our own. */
export const METHODS: readonly RegressionMethod[] = [hunter, stdev, zscore];
/** The same without our mends. */
const ORIGINAL_METHODS: readonly RegressionMethod[] = [hunter, stdev, originalZscore];

export function methodNamed(name: string, isCompat = false): RegressionMethod | undefined {
  return (isCompat ? ORIGINAL_METHODS : METHODS).find((method) => method.name === name);
}
